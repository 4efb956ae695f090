package io.berth.placement.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.placement.http.ApiException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResourcesParameterTest {
    @Test
    void readsIntegersAsPythonDoes() {
        assertThat(ResourcesParameter.parse("VCPU: +1_000 ,DISK_GB:007")).isEqualTo(Map.of("VCPU", 1_000L, "DISK_GB", 7L));
    }

    /** As long as a request line may be. */
    @Test
    void longTextsTakeNoStack() {
        assertThat(ResourcesParameter.parse("VCPU:1" + "_1".repeat(30_000)).get("VCPU")).isPositive();
        assertThatThrownBy(() -> ResourcesParameter.parse("VCPU:1" + "_1".repeat(30_000) + "_"))
                .isInstanceOf(ApiException.class).hasMessageContaining("expected positive integer amount");
    }
}
