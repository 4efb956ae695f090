package io.berth.scheduler.body;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.json.StrictObject;
import io.berth.scheduler.pci.PciNumaPolicy;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Tests the parsing of PCI NUMA policies. */
class NumaAndPciBodyTest {
    private static StrictObject object(String json) {
        return new StrictObject(JsonBody.parse(json.getBytes(StandardCharsets.UTF_8)), "$");
    }

    @Test
    void readsAPolicy() {
        assertThat(NumaAndPciBody.request(object("{\"numa_policy\": \"socket\"}")).numaPolicy())
                .isEqualTo(PciNumaPolicy.SOCKET);
        assertThat(NumaAndPciBody.request(object("{}")).numaPolicy()).isNull();
    }

    @Test
    void listsThePermittedValuesOfAPolicy() {
        StrictObject request = object("{\"numa_policy\": \"near\"}");
        assertThatThrownBy(() -> NumaAndPciBody.request(request))
                .isInstanceOf(ApiFault.class)
                .hasMessageContaining("numa_policy: must be one of ")
                .hasMessageContaining("socket")
                .hasMessageContaining(", not 'near'");
    }
}
