package io.berth.deploy.steady;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The allocations on the hosts of {@link SteadyClaims}, as placement reports them.
 *
 * @param consumers the consumers that hold allocations on one of the hosts
 * @param violations one line for each host whose usage of VCPU is not the sum of its allocations, and for each consumer
 *         that does not hold exactly one VCPU on one host
 */
record FoundClaims(Set<UUID> consumers, List<String> violations) {
    /** Reads the allocations and usages of these hosts. */
    static FoundClaims read(Replicas replicas, Collection<UUID> hosts) throws IOException, InterruptedException {
        Set<UUID> consumers = new HashSet<>();
        List<String> violations = new ArrayList<>();
        for (UUID host : hosts) {
            String path = "/resource_providers/" + host;
            JsonNode allocations = replicas.get(path + "/allocations").path("allocations");
            long allocatedUnits = 0;
            for (Map.Entry<String, JsonNode> allocation : allocations.properties()) {
                long units = allocation.getValue().path("resources").path("VCPU").asLong();
                allocatedUnits += units;
                if (units != 1 || !consumers.add(UUID.fromString(allocation.getKey()))) {
                    violations.add("doubled: " + allocation.getKey() + " holds " + units + " on " + host);
                }
            }
            long used = replicas.get(path + "/usages").path("usages").path("VCPU").asLong(-1);
            if (used != allocatedUnits) {
                violations.add("%s: %d used, %d held".formatted(host, used, allocatedUnits));
            }
        }
        return new FoundClaims(consumers, violations);
    }
}
