package io.berth.deploy.http;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests the timeout of the command's HTTP client, against a server that stalls. */
class RestClientTest {
    @Test
    void timesOutIfTheRestOfAResponseNeverArrives() throws Exception {
        try (var gatekeeper = Gatekeeper.before("http://127.0.0.1:1", 1, _ -> Gatekeeper.Fate.STALLED)) {
            var client = new RestClient(
                    Endpoint.parse(gatekeeper.url()), Credential.token("admin"), null, Duration.ofSeconds(1));
            assertThatThrownBy(() -> client.send("GET", "/traits", null, 200))
                    .isInstanceOf(ApiFailure.class)
                    .hasMessageStartingWith("GET " + gatekeeper.url() + "/traits: ")
                    .hasMessageContaining("HttpTimeoutException");
        }
    }
}
