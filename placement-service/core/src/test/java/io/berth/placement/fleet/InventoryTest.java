package io.berth.placement.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the computation of an inventory's capacity. */
class InventoryTest {
    @ParameterizedTest(name = "({0} - {1}) * {2} = {3}, in whole units {4}")
    @CsvSource({
        "10,         0,          1.5, 15,            15",
        "7,          0,          1.5, 10.5,          10",
        "1,          0,          0.5, 0.5,           0",
        "4,          4,          16,  0,             0",
        "1,          2,          1.5, -1.5,          -1",
        "1,          2147483647, 2,   -4294967292,   -4294967292",
        "2147483647, 0,          16,  34359738352,   34359738352"})
    void capacityIsExactAndItsDisplayIsTruncated(int total, int reserved, double ratio, double exact, double whole) {
        assertThat(Inventory.capacity(total, reserved, ratio)).isEqualTo(exact);
        assertThat(Inventory.truncate(exact)).isEqualTo(whole);
    }
}
