package io.tokenbudget.integrationtests.usage.langchain4j;

import io.tokenbudget.integrationtests.usage.ProviderClient;
import io.tokenbudget.integrationtests.usage.ProviderUsageContract;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

@DisplayName("C4 usage truth: LangChain4j 1.0 and what each provider bills")
class OldestLineTest extends ProviderUsageContract {
    @Override
    protected String line() {
        return "LangChain4j 1.0";
    }

    @Override
    protected List<ProviderClient> clients() {
        return CommonClients.all();
    }
}
