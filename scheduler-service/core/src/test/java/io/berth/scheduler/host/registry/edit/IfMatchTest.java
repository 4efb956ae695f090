package io.berth.scheduler.host.registry.edit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.scheduler.http.ApiFault;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the If-Match header. */
class IfMatchTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "* | 7 | true", "* | | false", "\"7\" | 7 | true", "\"7\" | 8 | false", "\"7\" | | false",
        "\"1\" , \"7\" | 7 | true", "W/\"7\" | 7 | false", "\"07\" | 7 | false", "\"seven\" | 7 | false",
        "\"\" | 0 | false", "\"99999999999999999999\" | 7 | false"})
    void admitsTheVersionsThatItNames(String header, Long stored, boolean admitted) {
        assertThat(Objects.requireNonNull(IfMatch.parse(header)).admits(stored)).isEqualTo(admitted);
    }

    @ParameterizedTest
    @ValueSource(strings = {"7", "", "\"7", "\"7\" \"8\"", "\"7\",,\"8\"", "*, \"7\"", "w/\"7\""})
    void refusesMalformedHeaders(String header) {
        assertThatThrownBy(() -> IfMatch.parse(header))
                .isInstanceOf(ApiFault.class)
                .hasMessageStartingWith("If-Match: must be *, or tags in quotes");
    }

    @Test
    void returnsNullWithoutTheHeader() {
        assertThat(IfMatch.parse(null)).isNull();
        assertThat(Objects.requireNonNull(IfMatch.parse(IfMatch.tag(12))).admits(12L)).isTrue();
    }
}
