package io.berth.scheduler.host.registry.edit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.ComputeService;
import io.berth.scheduler.host.registry.RecordCollection;
import io.berth.scheduler.host.registry.RegisteredAggregate;
import io.berth.scheduler.host.registry.RegistryRecord;
import io.berth.scheduler.http.ApiFault;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * How long the response to an edit waits for placement at most: the query parameter {@code wait}, in seconds. Without
 * it, edits of host aggregates wait for {@code berth.placement-sync.wait-max} if this replica runs the placement sync,
 * and other edits do not wait.
 *
 * @param limit maximum time; null if the client stated none
 */
record SyncWait(@Nullable Duration limit) {
    /** Maximum of the parameter; proxies commonly end a request without a response after 30 to 60 seconds. */
    private static final int SECONDS_MAX = 30;

    /**
     * Parses the parameter. Throws ApiFault (400) unless it is a number from 0 to {@value #SECONDS_MAX}.
     *
     * @param seconds null if the client stated none
     */
    static SyncWait parse(@Nullable String seconds) {
        if (seconds == null) {
            return new SyncWait(null);
        }
        if (!seconds.matches("[0-9]{1,2}") || Integer.parseInt(seconds) > SECONDS_MAX) {
            throw ApiFault.invalid("wait: must be a number of seconds from 0 to " + SECONDS_MAX);
        }
        return new SyncWait(Duration.ofSeconds(Integer.parseInt(seconds)));
    }

    /**
     * Waits until placement has the written records ({@link PlacementCopy#awaitPlacement}). Returns null if placement
     * has them, or if the edit need not wait (no parameter, and no host aggregate); otherwise the pending changes.
     *
     * @param written returns the written records; called only if the edit may wait
     */
    Uni<ObjectNode> awaitPlacement(PlacementCopy placement, RecordCollection collection,
            Supplier<List<RegistryRecord>> written) {
        if (limit == null && collection != RecordCollection.HOST_AGGREGATES) {
            return Uni.createFrom().nullItem();
        }
        Set<String> hosts = new HashSet<>();
        Set<UUID> aggregates = new HashSet<>();
        for (RegistryRecord record : written.get()) {
            switch (record) {
                case ComputeNode node -> hosts.add(node.host());
                case ComputeService service -> hosts.add(service.host());
                case RegisteredAggregate aggregate -> aggregates.add(aggregate.uuid());
                default -> {}
            }
        }
        return placement.awaitPlacement(new PlacementCopy.Scope(hosts, aggregates), limit);
    }
}
