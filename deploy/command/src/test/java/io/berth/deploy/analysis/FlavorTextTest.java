package io.berth.deploy.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the parser of flavors on the command line. */
class FlavorTextTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "8:16384:80,           8:16384:80,    8, 16384,   80",
        "8:16GiB:80,           8:16GiB:80,    8, 16384,   80",
        "8:16384MiB:80GiB,     8:16384MiB:80GiB, 8, 16384, 80",
        "8:1TiB:2TiB,          8:1TiB:2TiB,   8, 1048576, 2048",
        "m1.large=4:8GiB,      m1.large,      4, 8192,    0"})
    void parsesAmountsWithAndWithoutUnits(String typed, String name, int vcpus, int memoryMb, int diskGb) {
        assertThat(FlavorText.parse(typed)).isEqualTo(new FlavorText(name, vcpus, memoryMb, diskGb));
    }
}
