package io.berth.scheduler.numa;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.text.DerivedValue;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the parser of page sizes. */
class PageSizeTest {
    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({
        "small, -1", "large, -2", "any, -3",
        "4, 4", "2048, 2048", "0, 0",
        "2MB, 2048", "2MiB, 2048", "1GB, 1048576", "0.5MB, 512", ".5GiB, 524288", "4096B, 4", "4KB, 4",
        "16Mb, 2048", "16Mbit, 2048", "8TB, 2147483647", "99999999999, 2147483647"})
    void parsesWordsKibibytesAndBinaryUnits(String text, int expected) {
        assertThat(PageSize.parse(text)).isEqualTo(new DerivedValue.Value<>(expected));
    }

    @ParameterizedTest
    @ValueSource(strings = {"huge", "Small", "2M", "2kB", "-2MB", "2 MB", "1.5", "MB", "2PB", "",
        "000000000000000000000000000000004"})
    void refusesEverythingElse(String text) {
        assertThat(PageSize.parse(text)).isInstanceOf(DerivedValue.Refused.class);
    }
}
