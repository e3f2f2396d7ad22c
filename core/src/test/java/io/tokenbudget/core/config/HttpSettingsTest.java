package io.tokenbudget.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("http: whom services tell and believe who calls")
class HttpSettingsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http: {send-context-to: [\"*.internal\", billing], believe-context-from: [10.0.0.0/8, \"::1\"]}",
                "http: {send-context-to: \"*.internal, billing\", believe-context-from: \"10.0.0.0/8,::1\"}",
            })
    void listsAreReadInEitherForm(String yaml) {
        HttpSettings http = YamlSettings.parse(yaml, "budgets.yaml").http();

        assertThat(http.sendContextTo()).containsExactly("*.internal", "billing");
        assertThat(http.believeContextFrom())
                .extracting(Network::toString)
                .containsExactly("10.0.0.0/8", "0:0:0:0:0:0:0:1");
        assertThat(http.enabled()).isTrue();
        assertThat(http.remaining()).isFalse();
    }

    @Test
    void theyMayComeFromAFrameworksMap() {
        Map<String, Object> nested = Map.of(
                "http", Map.of("sendContextTo", Map.of("0", "a", "1", "b"), "believe-context-from[0]", "127.0.0.1"));

        HttpSettings http = MapSettings.parse(nested, "application.yaml").http();

        assertThat(http.sendContextTo()).containsExactly("a", "b");
        assertThat(http.believeContextFrom()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "*, the names of hosts",
        "https://billing, the names of hosts",
        "a b, the names of hosts",
    })
    void whatIsNoHostIsRefused(String host, String allowed) {
        assertThatThrownBy(() -> YamlSettings.parse("http: {send-context-to: [\"" + host + "\"]}", "b.yaml"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll("http.send-context-to", host, allowed);
    }

    @ParameterizedTest
    @ValueSource(strings = {"billing", "10.0.0.0/33", "10.0.0", "::1/129", "10.0.0.0/-1", "256.1.1.1", "1.2.3.4/x", ""})
    void whatIsNoNetworkIsRefused(String network) {
        assertThatThrownBy(
                        () -> YamlSettings.parse("http: {believe-context-from: [\"" + network + "\", \"\"]}", "b.yaml"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContainingAll("http.believe-context-from", "addresses and networks");
    }

    @ParameterizedTest
    @CsvSource({
        "billing, true",
        "Billing, true",
        "a.internal, true",
        "billing.example.com, false",
        "internal, false",
        "a.internal.example.com, false",
    })
    void aHostIsToldByItsWholeName(String host, boolean told) {
        HttpSettings http = new HttpSettings(true, false, HttpText.parseHosts("*.internal, billing"), List.of());

        assertThat(http.sendsContextTo(host)).isEqualTo(told);
        assertThat(HttpSettings.DEFAULT.sendsContextTo(host)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            10.0.0.0/8          | 10.255.1.2            | true
            10.0.0.0/8          | 11.0.0.1              | false
            10.128.0.0/9        | 10.127.255.255        | false
            10.0.0.0/8          | ::ffff:10.1.1.1       | true
            0.0.0.0/0           | ::1                   | false
            192.168.1.7         | 192.168.1.7           | true
            192.168.1.7         | 192.168.1.6           | false
            fd00::/8            | fd12:3456::1          | true
            ::1                 | ::1                   | true
            10.0.0.0/8,::1      | ::1 10.1.1.1          | true
            10.0.0.0/8,::1      | ::1 8.8.8.8           | false
            """)
    void allSendersAreWhereSomebodyIsBelieved(String networks, String senders, boolean believed) {
        HttpSettings http = new HttpSettings(true, false, List.of(), HttpText.parseNetworks(networks));
        List<InetAddress> addresses = Stream.of(senders.split(" ", -1))
                .map(Network::address)
                .map(Objects::requireNonNull)
                .toList();

        assertThat(http.believesContextFrom(addresses)).isEqualTo(believed);
        assertThat(HttpSettings.DEFAULT.believesContextFrom(addresses)).isFalse();
        assertThat(http.believesContextFrom(List.of())).isFalse();
    }
}
