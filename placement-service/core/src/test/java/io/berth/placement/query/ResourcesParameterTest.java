package io.berth.placement.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.placement.http.ApiException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the parser of the query parameter {@code resources}. */
class ResourcesParameterTest {
    @Test
    void parsesIntegersLikePython() {
        assertThat(ResourcesParameter.parse("VCPU: +1_000 ,DISK_GB:007"))
                .isEqualTo(Map.of("VCPU", 1_000L, "DISK_GB", 7L));
    }

    @Test
    void capsHugeAmountsAndRefusesLowOnes() {
        assertThat(ResourcesParameter.parse("VCPU:" + "9".repeat(65_000) + ",DISK_GB:" + "0".repeat(65_000) + "12"))
                .isEqualTo(Map.of("VCPU", 1L << 40, "DISK_GB", 12L));
        for (String low : new String[] {"0", "-0", "-7", "-" + "9".repeat(65_000)}) {
            assertThatThrownBy(() -> ResourcesParameter.parse("VCPU:" + low))
                    .isInstanceOf(ApiException.class).hasMessageContaining("requires amount >= 1");
        }
    }

    /** The amount is as long as a request line may be. */
    @Test
    void parsesLongAmountsWithoutStackOverflow() {
        assertThat(ResourcesParameter.parse("VCPU:1" + "_1".repeat(30_000)).get("VCPU")).isPositive();
        assertThatThrownBy(() -> ResourcesParameter.parse("VCPU:1" + "_1".repeat(30_000) + "_"))
                .isInstanceOf(ApiException.class).hasMessageContaining("expected positive integer amount");
    }
}
