package io.tokenbudget.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Scopes: bare, named, glob, joined")
class ScopePatternTest {

    @ParameterizedTest
    @CsvSource({
        "agent, [agent], [null]",
        "global, [global], [null]",
        "agent:planner, [agent], [planner]",
        "model:gpt-4o*, [model], [gpt-4o*]",
        "model:llama3:8b, [model], [llama3:8b]",
        "'tenant/agent', '[tenant, agent]', '[null, null]'",
        "'tenant:acme/agent', '[tenant, agent]', '[acme, null]'",
        "'tenant:acme/agent:planner', '[tenant, agent]', '[acme, planner]'",
        "'tenant/agent:planner', '[tenant, agent]', '[null, planner]'",
        "'tenant/user/tool:search', '[tenant, user, tool]', '[null, null, search]'",
        "'region/agent', '[region, agent]', '[null, null]'",
        "'costCenter:7', '[costCenter]', '[7]'",
    })
    void takesScopesApart(String text, String dimensions, String values) {
        ScopePattern scope = ScopePattern.parse(text, Set.of());
        assertThat(scope.dimensions()).hasToString(dimensions);
        assertThat(scope.values()).hasToString(values);
    }

    @ParameterizedTest
    @CsvSource({
        "model:meta/llama-3, '{model=meta/llama-3}'",
        "model:meta-llama/llama-3:free, '{model=meta-llama/llama-3:free}'",
        "model:a/b/c*, '{model=a/b/c*}'",
        "tenant:acme/model:meta/llama-3, '{model=meta/llama-3, tenant=acme}'",
        "model:meta/llama-3/tenant, '{model=meta/llama-3, tenant=null}'",
        "model:meta/llama-3/tenant:acme, '{model=meta/llama-3, tenant=acme}'",
    })
    void leavesSlashesToTheModelUnlessADimensionFollows(String text, String values) {
        assertThat(ScopePattern.parse(text, Set.of()).byDimension()).hasToString(values);
    }

    @Test
    void joinsAfterAModelWithADimensionOfTheUsersOwnThatIsKnown() {
        assertThat(ScopePattern.parse("model:m/region:eu", Set.of("region")).dimensions())
                .containsExactly("model", "region");
        assertThat(ScopePattern.parse("model:m/region:eu", Set.of()).values()).containsExactly("m/region:eu");
    }

    @Test
    void asksWhatASlashMeansWhereItCouldBeEither() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ScopePattern.parse("project:octo/hello", Set.of()))
                .withMessage(
                        "found \"project:octo/hello\": \"hello\" is not a known dimension; if it is one of your own,"
                                + " write \"hello:*\", if the slash belongs to the value, write it as %2F");
        assertThat(ScopePattern.parse("project:octo%2Fhello", Set.of()).values())
                .containsExactly("octo/hello");
        assertThat(ScopePattern.parse("project:octo/hello:*", Set.of()).dimensions())
                .containsExactly("project", "hello");
    }

    @Test
    void readsEscapedPercentSigns() {
        assertThat(ScopePattern.parse("user:a%252Fb%25c%d", Set.of()).values()).containsExactly("a%2Fb%c%d");
    }

    @ParameterizedTest
    @ValueSource(strings = {"tennant", "Agent", "agents:planner", "tenant/modle", "to-ol"})
    void asksBackWhereANameIsNearABuiltInOne(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ScopePattern.parse(text, Set.of()))
                .withMessageContaining("did you mean ");
    }

    @Test
    void takesANearNameAsWrittenOnceItIsKnown() {
        assertThat(ScopePattern.parse("agents", Set.of("agents")).dimensions()).containsExactly("agents");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ":",
                "/",
                "agent:",
                "agent: ",
                "agent:x/",
                "/agent",
                "agent//tenant",
                "global:x",
                "global/agent",
                "agent/global",
                "agent/agent",
                "agent:a/agent:b",
                "my dimension:x",
                "*",
                "*:x",
                "agent: x",
                "agent:x ",
                "1st",
                "plan",
                "plan:pro"
            })
    void refusesWhatIsNoScope(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ScopePattern.parse(text, Set.of()))
                .withMessageStartingWith("found \"" + text + "\": ");
    }
}
