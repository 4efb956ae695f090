package io.berth.scheduler.placementsync;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import jakarta.annotation.Nullable;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * The response to {@code GET /v1/placement_sync}: hosts whose registered changes placement does not have yet. Times are
 * by the database's clock.
 *
 * @param pending number of pending hosts
 * @param oldestSince time since which the oldest host is pending; null if no host is pending
 * @param oldestSeconds age of the oldest pending host in seconds; null if no host is pending
 * @param lastError the latest error of the pending hosts; null if there was none
 * @param hosts pending hosts, the oldest first; at most {@code hostsMax} of {@link SyncStore#state}
 */
record SyncState(
        long pending,
        @Nullable OffsetDateTime oldestSince,
        @Nullable Double oldestSeconds,
        @Nullable String lastError,
        List<Host> hosts) {
    /**
     * A pending host.
     *
     * @param status whether the service's disabled state is pending
     * @param aggregates aggregates whose membership is pending
     * @param computeNodes compute nodes whose report is pending
     * @param since time since which the host is pending
     * @param nextAt time of the next attempt
     * @param attempts number of attempts since the registry last changed for the host
     * @param lastError the error of the last failed attempt; null if none has failed
     * @param lastErrorAt time of that error; null if there is none
     */
    record Host(
            String name,
            boolean status,
            Set<UUID> aggregates,
            Set<UUID> computeNodes,
            OffsetDateTime since,
            OffsetDateTime nextAt,
            int attempts,
            @Nullable String lastError,
            @Nullable OffsetDateTime lastErrorAt) {
        private void render(ObjectNode json) {
            json.put("host", name);
            json.put("service_state", status);
            add(json.putArray("host_aggregates"), aggregates);
            add(json.putArray("compute_nodes"), computeNodes);
            json.put("since", text(since));
            json.put("next_attempt_at", text(nextAt));
            json.put("attempts", attempts);
            json.put("last_error", lastError);
            json.put("last_error_at", text(lastErrorAt));
        }
    }

    /** @param enabled whether the placement sync is configured, and Berth owns the hosts */
    ObjectNode render(boolean enabled) {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        answer.put("enabled", enabled);
        answer.put("pending", pending);
        answer.put("oldest_since", text(oldestSince));
        answer.put("oldest_seconds", oldestSeconds);
        answer.put("last_error", lastError);
        ArrayNode list = answer.putArray("hosts");
        hosts.forEach(host -> host.render(list.addObject()));
        return answer;
    }

    private static void add(ArrayNode list, Set<UUID> uuids) {
        uuids.forEach(uuid -> list.add(uuid.toString()));
    }

    private static @Nullable String text(@Nullable OffsetDateTime time) {
        return time == null ? null : time.toString();
    }
}
