package io.berth.identity.header;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.identity.Configured;
import io.berth.identity.IdentityConfig;
import io.quarkus.runtime.PreventFurtherStepsException;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the strategy noauth2 listens on loopback only, unless configured otherwise. */
class HeaderIdentityTest {
    private static void open(Map<String, String> options, String host) {
        new HeaderIdentity(Configured.of(IdentityConfig.class, options), host);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "192.0.2.7", "berth.example.org", "127.0.0.1.example.org", ""})
    void refusesOtherAddressesUnlessConfigured(String host) {
        assertThatThrownBy(() -> open(Map.of(), host))
                .rootCause()
                .isInstanceOf(PreventFurtherStepsException.class)
                .hasMessageStartingWith("quarkus.http.host=" + host
                        + ": berth.auth.strategy=noauth2 trusts every caller");
        assertThatCode(() -> open(Map.of("berth.auth.noauth2-anywhere", "true"), host)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost", "::1", "[::1]"})
    void listensOnLoopback(String host) {
        assertThatCode(() -> open(Map.of(), host)).doesNotThrowAnyException();
    }
}
