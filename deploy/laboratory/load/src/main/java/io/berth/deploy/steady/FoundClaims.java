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
 * The allocations on the journal's hosts, as placement reports them.
 *
 * @param consumers the consumers that hold allocations on one of the hosts
 * @param violations one line per host whose use is not the sum of its allocations, and per consumer that does not hold
 *         exactly one unit on one host
 */
record FoundClaims(Set<UUID> consumers, List<String> violations) {
    static FoundClaims read(Replicas replicas, Collection<UUID> hosts) throws IOException, InterruptedException {
        Set<UUID> consumers = new HashSet<>();
        List<String> offences = new ArrayList<>();
        for (UUID host : hosts) {
            String path = "/resource_providers/" + host;
            JsonNode allocations = replicas.get(path + "/allocations").path("allocations");
            long sum = 0;
            for (Map.Entry<String, JsonNode> each : allocations.properties()) {
                long units = each.getValue().path("resources").path("VCPU").asLong();
                sum += units;
                if (units != 1 || !consumers.add(UUID.fromString(each.getKey()))) {
                    offences.add("doubled: " + each.getKey() + " holds " + units + " on " + host);
                }
            }
            long used = replicas.get(path + "/usages").path("usages").path("VCPU").asLong(-1);
            if (used != sum) {
                offences.add("%s: %d used, %d held".formatted(host, used, sum));
            }
        }
        return new FoundClaims(consumers, offences);
    }
}
