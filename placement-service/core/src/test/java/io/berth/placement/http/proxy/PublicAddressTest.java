package io.berth.placement.http.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the parser of forwarded headers, which returns the service's public address. */
class PublicAddressTest {
    private static String forwarded(String name, Map<String, String> headers) {
        return PublicAddress.forwarded(name, header -> headers.get(header.toLowerCase(Locale.ROOT)));
    }

    @ParameterizedTest(name = "{0}: {1} and {2}")
    @CsvSource(quoteCharacter = '\'', value = {
        "'proto=https;host=api.example',                       https, api.example",
        "'for=192.0.2.60; PROTO=https ;Host=api.example',      https, api.example",
        "'host=first.example;proto=https, host=second.example;proto=http', https, first.example",
        "'proto=https;host=\"api.example:8443\"',              https, api.example:8443",
        "'for=192.0.2.60, proto=https;host=second.example',    ,",
        "'proto=https',                                        https,",
        "nonsense,                                             ,"})
    void usesTheFirstElementOfForwarded(String header, String proto, String host) {
        Map<String, String> headers = Map.of("forwarded", header);
        assertThat(forwarded("proto", headers)).isEqualTo(proto);
        assertThat(forwarded("host", headers)).isEqualTo(host);
    }

    @Test
    void usesTheOlderHeadersWithoutForwarded() {
        Map<String, String> headers = Map.of("x-forwarded-proto", "https", "x-forwarded-host", "api.example:8443");
        assertThat(forwarded("proto", headers)).isEqualTo("https");
        assertThat(forwarded("host", headers)).isEqualTo("api.example:8443");
    }

    @Test
    void ignoresTheOlderHeadersIfForwardedIsPresent() {
        Map<String, String> headers = Map.of("forwarded", "for=192.0.2.60", "x-forwarded-proto", "https");
        assertThat(forwarded("proto", headers)).isNull();
    }
}
