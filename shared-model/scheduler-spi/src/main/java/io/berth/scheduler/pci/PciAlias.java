package io.berth.scheduler.pci;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A named kind of device that flavors may request.
 *
 * @param numaPolicy applies to requests whose flavor and image state no policy
 * @param spec alternatives in the order in which they are configured; see {@link PciRequest#spec}
 */
public record PciAlias(String name, PciNumaPolicy numaPolicy, List<Map<String, ?>> spec) {
    public PciAlias {
        spec = spec.stream()
                .<Map<String, ?>>map(each -> Collections.unmodifiableMap(new LinkedHashMap<>(each)))
                .toList();
    }
}
