package io.berth.placement.http.header;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests which origins and headers are allowed for cross-origin requests. */
class CorsTest {
    @Test
    void allowsTheHeadersOfTokensAndJsonByDefault() {
        Cors cors = new Cors(Optional.of("http://a.example"), Optional.empty());
        assertThat(cors.headersIfAllAllowed("content-type,OpenStack-API-Version, x-auth-token,"))
                .containsExactly("content-type", "OpenStack-API-Version", "x-auth-token");
        assertThat(cors.headersIfAllAllowed(null)).isEmpty();
        assertThat(cors.headersIfAllAllowed("content-type, x-else")).isNull();
    }

    /** oslo.middleware does the same. */
    @Test
    void configuredHeadersReplaceAllButTheSimpleOnes() {
        Cors cors = new Cors(Optional.of("http://a.example"), Optional.of("X-Mine"));
        String simple =
                "Accept,Accept-Language,Content-Type,Cache-Control,Content-Language,Expires,Last-Modified,Pragma";
        assertThat(cors.headersIfAllAllowed("x-mine," + simple)).hasSize(9);
        assertThat(cors.headersIfAllAllowed("x-mine,x-auth-token")).isNull();
    }

    @Test
    void allowsEachConfiguredOrigin() {
        Cors cors = new Cors(Optional.of("http://a.example, http://b.example"), Optional.empty());
        assertThat(cors.allowedOriginFor("http://a.example")).isEqualTo("http://a.example");
        assertThat(cors.allowedOriginFor("http://b.example")).isEqualTo("http://b.example");
        assertThat(cors.allowedOriginFor("http://a.example, http://b.example")).isNull();
        assertThat(cors.allowedOriginFor(null)).isNull();
    }

    /** oslo.middleware does the same. */
    @Test
    void aWildcardAllowsEveryOrigin() {
        Cors cors = new Cors(Optional.of("*, http://a.example"), Optional.empty());
        assertThat(cors.allowedOriginFor("http://a.example")).isEqualTo("http://a.example");
        assertThat(cors.allowedOriginFor("http://b.example")).isEqualTo("*");
        assertThat(cors.allowedOriginFor(null)).isNull();
    }
}
