package io.berth.scheduler.host.registry.edit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.host.registry.Collection;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.ComputeService;
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

/**
 * How long the response to an edit waits for placement: the query parameter {@code wait}, in seconds. Without it, edits
 * of host aggregates wait for {@code berth.placement-sync.wait-max}, and other edits do not wait.
 *
 * @param limit maximum time; null if the request has no parameter {@code wait}
 */
record SyncWait(@Nullable Duration limit) {
    /** Maximum of the parameter, because many proxies end a request without a response after 30 to 60 seconds. */
    private static final int SECONDS_MAX = 30;

    /** Throws ApiFault (400) for a value out of range. */
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
     * Waits until placement has the written records, and returns the changes that are still pending at the end of the
     * wait; null if placement has all changes, or if the edit does not wait.
     */
    Uni<ObjectNode> pending(PlacementCopy placement, Collection collection, List<RegistryRecord> written) {
        if (limit == null && collection != Collection.HOST_AGGREGATES) {
            return Uni.createFrom().nullItem();
        }
        Set<String> hosts = new HashSet<>();
        Set<UUID> aggregates = new HashSet<>();
        for (RegistryRecord record : written) {
            switch (record) {
                case ComputeNode node -> hosts.add(node.host());
                case ComputeService service -> hosts.add(service.host());
                case RegisteredAggregate aggregate -> aggregates.add(aggregate.uuid());
                default -> {}
            }
        }
        return placement.pending(new PlacementCopy.Scope(hosts, aggregates), limit);
    }
}
