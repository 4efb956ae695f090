package io.berth.scheduler.config.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the parser of nova.conf. */
class NovaConfTest {
    private static NovaConf parse(String text) {
        return NovaConf.parse(text.lines().toList());
    }

    @Test
    void readsGroupsCommentsAndContinuedLines() {
        NovaConf conf = parse("""
                # written by a tool
                [DEFAULT]
                service_down_time = 90
                debug = true
                [filter_scheduler]
                ; nearest first
                enabled_filters = ComputeFilter,
                    NUMATopologyFilter
                ram_weight_multiplier: -1.0
                [placement]
                region_name = north
                """);
        assertThat(conf.values()).isEqualTo(Map.of(
                "DEFAULT", Map.of("service_down_time", "90"),
                "filter_scheduler",
                Map.of(
                        "enabled_filters", "ComputeFilter, NUMATopologyFilter",
                        "ram_weight_multiplier", "-1.0")));
        assertThat(conf.ignored()).isEqualTo(2);
    }

    @Test
    void joinsMultiValuedOptionsAndUsesTheLastOfOthers() {
        NovaConf conf = parse("""
                [pci]
                alias = {"name": "a", "vendor_id": "8086", "product_id": "1520"}
                alias = {"name": "b", "vendor_id": "8086", "product_id": "1521"}
                [filter_scheduler]
                available_filters = nova.scheduler.filters.all_filters
                available_filters = my.Filter
                host_subset_size = 2
                host_subset_size = 3
                """);
        assertThat(conf.values().get("pci").get("alias")).isEqualTo("[{\"name\": \"a\", \"vendor_id\": \"8086\","
                + " \"product_id\": \"1520\"},{\"name\": \"b\", \"vendor_id\": \"8086\", \"product_id\": \"1521\"}]");
        assertThat(conf.values().get("filter_scheduler"))
                .containsEntry("available_filters", "nova.scheduler.filters.all_filters,my.Filter")
                .containsEntry("host_subset_size", "3");
    }

    @Test
    void ignoresMalformedLines() {
        assertThat(parse("nonsense\n[x\n= 5\n  floating\n").values()).isEmpty();
    }
}
