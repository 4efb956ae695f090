package io.berth.scheduler.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.scheduler.http.ApiFault;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the limit parameter of lists. */
class PagingTest {
    @ParameterizedTest
    @CsvSource({"1, 1", "999, 999", "1000, 1000", "1001, 1000", "9999999999, 1000", "123456789012345678901, 1000"})
    void reducesALimitToTheMaximum(String value, int limit) {
        assertThat(Paging.limit(value, 1_000)).isEqualTo(limit);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-1", "01", "1.5", "ten"})
    void refusesALimitThatIsNotAPositiveInteger(String value) {
        assertThatThrownBy(() -> Paging.limit(value, 1_000))
                .isInstanceOf(ApiFault.class)
                .hasMessageContaining("limit: must be an integer of at least 1");
    }
}
