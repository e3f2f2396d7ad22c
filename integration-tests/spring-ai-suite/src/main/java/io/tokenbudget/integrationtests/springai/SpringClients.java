package io.tokenbudget.integrationtests.springai;

import io.tokenbudget.testkit.matrix.ModelSpec;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpTimeoutException;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/** The HTTP clients of models that Spring AI calls without a vendor's SDK. */
public final class SpringClients {
    private SpringClients() {}

    /** For blocking calls. */
    public static RestClient.Builder blocking(ModelSpec spec) {
        JdkClientHttpRequestFactory requests = new JdkClientHttpRequestFactory(HttpClient.newHttpClient());
        requests.setReadTimeout(spec.timeout());
        return RestClient.builder()
                .requestFactory(requests)
                .requestInterceptor(SpringClients::withOneMessageForTimeOuts);
    }

    /** For streams: closes the connection of one that is cancelled, as the JDK's client does not. */
    public static WebClient.Builder streaming(ModelSpec spec) {
        return WebClient.builder()
                .clientConnector(new ReactorClientHttpConnector(
                        reactor.netty.http.client.HttpClient.newConnection().responseTimeout(spec.timeout())));
    }

    /** Which message the JDK's client gives to a time-out is a matter of luck, and outcomes are compared. */
    private static ClientHttpResponse withOneMessageForTimeOuts(
            HttpRequest request, byte[] body, ClientHttpRequestExecution execution) throws IOException {
        try {
            return execution.execute(request, body);
        } catch (HttpTimeoutException timeOut) {
            HttpTimeoutException same = new HttpTimeoutException("no answer in time");
            same.initCause(timeOut.getCause());
            throw same;
        }
    }
}
