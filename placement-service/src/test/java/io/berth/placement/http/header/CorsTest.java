package io.berth.placement.http.header;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class CorsTest {
    @Test
    void pagesMaySendTheirTokenAndJson() {
        Cors cors = new Cors(Optional.of("http://a.example"), Optional.empty());
        assertThat(cors.allowed("content-type,OpenStack-API-Version, x-auth-token, x-else"))
                .isEqualTo("content-type,OpenStack-API-Version,x-auth-token");
        assertThat(cors.allowed(null)).isEmpty();
    }

    @Test
    void statedHeadersLeaveContentType() {
        Cors cors = new Cors(Optional.of("http://a.example"), Optional.of("X-Mine"));
        assertThat(cors.allowed("x-mine,content-type,x-auth-token")).isEqualTo("x-mine,content-type");
    }

    @Test
    void eachOfSeveralOriginsMayCall() {
        Cors cors = new Cors(Optional.of("http://a.example, http://b.example"), Optional.empty());
        assertThat(cors.allowedFor("http://a.example")).isEqualTo("http://a.example");
        assertThat(cors.allowedFor("http://b.example")).isEqualTo("http://b.example");
        assertThat(cors.allowedFor("http://a.example, http://b.example")).isNull();
        assertThat(cors.allowedFor(null)).isNull();
    }

    /** As oslo.middleware. */
    @Test
    void anyOriginMayCall() {
        Cors cors = new Cors(Optional.of("*, http://a.example"), Optional.empty());
        assertThat(cors.allowedFor("http://a.example")).isEqualTo("http://a.example");
        assertThat(cors.allowedFor("http://b.example")).isEqualTo("*");
        assertThat(cors.allowedFor(null)).isNull();
    }
}
