package io.berth.scheduler.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.host.AllocationCandidate;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.Limits;
import io.berth.scheduler.host.registry.HostReport;
import io.berth.scheduler.json.StrictObject;
import io.berth.scheduler.numa.NetworkMetadata;
import io.berth.scheduler.numa.NumaLimits;
import jakarta.annotation.Nullable;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Reads a host of a simulation: the report of a compute node, with its allocation candidates, and the limits that
 * earlier filters set.
 */
final class SimulatedHost {
    private SimulatedHost() {}

    /**
     * Returns the host. If the body has no {@code allocation_candidates}, the host has one candidate without
     * allocations. Throws ApiFault (400) with the path of an invalid member.
     */
    static HostState read(StrictObject body) {
        UUID uuid = body.uuid("uuid");
        HostState host = HostReport.read(body)
                .toBuilder()
                .uuid(uuid == null ? null : uuid.toString())
                .allocationCandidates(candidates(body))
                .limits(limits(body.anyObject("limits")))
                .build();
        body.refuseUnreadMembers();
        return host;
    }

    private static List<AllocationCandidate> candidates(StrictObject body) {
        return body.anyValue("allocation_candidates") == null
                ? List.of(AllocationCandidate.NONE)
                : body.objects("allocation_candidates", candidate -> new AllocationCandidate(
                        candidate.map("allocations", SimulatedHost::amounts),
                        candidate.map("mappings", StrictObject.listOf(StrictObject.TEXT))));
    }

    /** Reads the amounts of one provider in placement's format; ignores other members. */
    private static Map<String, Long> amounts(JsonNode provider, String path) {
        return new StrictObject(provider, path).map("resources", StrictObject.LONG);
    }

    /**
     * Reads the limits as a recorded host state has them. Ignores members that no filter sets; an amount that is not a
     * number means no limit.
     */
    private static Limits limits(JsonNode json) {
        JsonNode numa = json.path("numa_topology");
        NumaLimits numaLimits = null;
        if (numa.isObject()) {
            numaLimits = new NumaLimits(
                    numa.path("cpu_allocation_ratio").asDouble(1.0),
                    numa.path("ram_allocation_ratio").asDouble(1.0),
                    network(numa.path("network_metadata")));
        }
        return new Limits(
                number(json.path("vcpu")), number(json.path("memory_mb")), number(json.path("disk_gb")),
                numaLimits);
    }

    private static @Nullable NetworkMetadata network(JsonNode json) {
        if (!json.isObject()) {
            return null;
        }
        Set<String> physnets = new LinkedHashSet<>();
        json.path("physnets").forEach(physnet -> physnets.add(physnet.asText()));
        return new NetworkMetadata(physnets, json.path("tunneled").asBoolean(false));
    }

    private static @Nullable Double number(JsonNode value) {
        return value.isNumber() ? Double.valueOf(value.doubleValue()) : null;
    }
}
