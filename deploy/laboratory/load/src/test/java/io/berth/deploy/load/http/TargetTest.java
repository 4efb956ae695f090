package io.berth.deploy.load.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the parser of the URLs that the load generator measures. */
class TargetTest {
    @Test
    void parsesHostPortAndPrefix() {
        assertThat(Target.parse("http://127.0.0.1:8778/placement/", "t"))
                .isEqualTo(new Target("127.0.0.1", 8778, "/placement", "t"));
        assertThat(Target.parse("http://localhost", "t")).isEqualTo(new Target("localhost", 80, "", "t"));
    }

    @ParameterizedTest(name = "{0} loopback: {1}")
    @CsvSource({
        "http://127.0.0.1:1, true",
        "http://127.1.2.3:1, true",
        "http://localhost:1, true",
        "http://[::1]:1, true",
        "http://10.0.0.1:1, false",
        "http://127.0.0.1.example.org:1, false",
        "http://placement:1, false"})
    void recognizesLoopbackAddresses(String url, boolean loopback) {
        assertThat(Target.parse(url, "t").isLoopback()).isEqualTo(loopback);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1:8778", "https://127.0.0.1", "http://", "http://a b", "ftp://localhost", ""})
    void refusesUnsupportedUrls(String url) {
        assertThatThrownBy(() -> Target.parse(url, "t")).isInstanceOf(IllegalArgumentException.class);
    }
}
