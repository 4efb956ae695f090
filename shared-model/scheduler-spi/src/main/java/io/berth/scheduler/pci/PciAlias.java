package io.berth.scheduler.pci;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A named kind of PCI device that flavors may request.
 *
 * @param numaPolicy policy of requests whose flavor and image state none
 * @param spec alternatives in the configured order; see {@link PciRequest#spec}
 */
public record PciAlias(String name, PciNumaPolicy numaPolicy, List<Map<String, ?>> spec) {
    public PciAlias {
        spec = spec.stream()
                .<Map<String, ?>>map(each -> Collections.unmodifiableMap(new LinkedHashMap<>(each)))
                .toList();
    }
}
