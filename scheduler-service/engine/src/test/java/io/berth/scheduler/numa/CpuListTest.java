package io.berth.scheduler.numa;

import static io.berth.scheduler.numa.NumaBuilders.cpus;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.text.DerivedValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the parser of CPU lists. */
class CpuListTest {
    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource(delimiter = '|', value = {
        "3                | {3}",
        "1-4              | {1, 2, 3, 4}",
        "1-4,^3           | {1, 2, 4}",
        "^3,1-4           | {1, 2, 4}",
        "0-9,^2-5         | {0, 1, 6, 7, 8, 9}",
        "' 1 - 2 , 7 ,, ' | {1, 2, 7}",
        "5-5              | {5}",
        "^ 1,0-2          | {0, 2}",
        "^1               | {}",
        "''               | {}",
        "+2,0_1           | {1, 2}",
        "0-1,^70000-99999 | {0, 1}",
        "0-9,^5-9999999   | {0, 1, 2, 3, 4}"})
    void readsNumbersRangesAndExclusions(String text, String expected) {
        assertThat(cpus(text)).hasToString(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "4-2", "-1", "1-", "1--2", "^^1", "^", "1.5", "1 2", "0x1", "99999999999999999999",
        "0-65536"})
    void refusesInvalidListsAndNumbersAboveTheLimit(String text) {
        assertThat(CpuList.parse(text)).isInstanceOf(DerivedValue.Refused.class);
    }

    @Test
    void refusesATooLongListWithoutParsingIt() {
        assertThat(CpuList.parse("0,".repeat(400_000))).isInstanceOf(DerivedValue.Refused.class);
    }

    @Test
    void startsFromAllCpusIfAMaskBeginsWithAnExclusion() {
        assertThat(CpuList.parseMask(" ^0-1", 5)).isEqualTo(new DerivedValue.Value<>(cpus("2-4")));
        assertThat(CpuList.parseMask("1,^0-1", 5)).isEqualTo(new DerivedValue.Value<>(CpuSet.EMPTY));
    }
}
