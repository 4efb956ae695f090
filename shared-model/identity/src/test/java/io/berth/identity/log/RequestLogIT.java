package io.berth.identity.log;

import static io.berth.deploy.process.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.LogLines;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

/** Tests the request log, which the options of the tests switch on. */
@QuarkusTest
class RequestLogIT {
    @TestHTTPResource("/whoami?a=b")
    URI whoami;

    private void sendRequest(String... headers) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest.Builder request = HttpRequest.newBuilder(whoami);
            if (headers.length > 0) {
                request.headers(headers);
            }
            client.send(request.build(), HttpResponse.BodyHandlers.discarding());
        }
    }

    @Test
    void logsEveryRequestIncludingRefusedOnes() throws Exception {
        try (LogLines log = LogLines.of(RequestLog.CATEGORY)) {
            sendRequest("x-auth-token", "joe:demo");
            sendRequest();
            eventually(() -> assertThat(log.lines()).hasSize(2));
            assertThat(log.lines().get(0)).matches("127\\.0\\.0\\.1 \"GET /whoami\\?a=b\" status: 200 len: \\d+"
                    + " microversion: - user: joe project: demo request_id: - ms: \\d+\\.\\d");
            assertThat(log.lines().get(1)).contains("status: 401 len: ").contains("user: - project: -");
        }
    }
}
