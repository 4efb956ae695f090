package io.berth.scheduler.capacity;

import io.berth.model.Maps;
import io.berth.scheduler.capacity.CapacityBody.By;
import io.berth.scheduler.host.AggregateMetadata;
import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.registry.Cell;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.text.Uuids;
import jakarta.annotation.Nullable;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;

/**
 * Splits counts by zone, aggregate, cell or host. The names of zones, aggregates and cells are computed once for each
 * list of aggregates and each cell, and kept. Not thread-safe.
 */
final class Split {
    private static final String ZONE = "availability_zone";
    private static final String NO_CELL = "";

    private final Set<By> by;
    private final Snapshot snapshot;
    private final Predicate<String> isZoneCounted;
    /** Names of the counted zones by the list of a host's aggregates. */
    private final IdentityHashMap<List<HostAggregate>, Collection<String>> zones = new IdentityHashMap<>();
    /** Names of the aggregates by the list of a host's aggregates. */
    private final IdentityHashMap<List<HostAggregate>, Collection<String>> aggregates = new IdentityHashMap<>();
    /** Names of cells by uuid. */
    private final Map<String, String> cells = new HashMap<>();

    Split(Set<By> by, Snapshot snapshot) {
        this(by, snapshot, _ -> true);
    }

    /**
     * @param isZoneCounted returns, for the name of a zone, whether its instances are counted; called for each zone of
     * a host, possibly several times
     */
    Split(Set<By> by, Snapshot snapshot, Predicate<String> isZoneCounted) {
        this.by = by;
        this.snapshot = snapshot;
        this.isZoneCounted = isZoneCounted;
    }

    /** Creates empty parts for one count; null if counts are not split. */
    @Nullable Parts parts() {
        return by.isEmpty() ? null : new Parts();
    }

    /**
     * The parts of one count. If a host is in several zones or aggregates, its instances count in each of them. A host
     * whose aggregates name no zone is in the default zone.
     */
    final class Parts {
        private final Map<By, NavigableMap<String, Long>> counts = new EnumMap<>(By.class);

        private Parts() {
            by.forEach(each -> counts.put(each, new TreeMap<>()));
        }

        /** Adds instances on the host to each zone, aggregate, cell and host name that it counts in. */
        void add(HostState host, long instances) {
            counts.forEach((each, sums) -> namesOf(each, host)
                    .forEach(name -> sums.merge(name, instances, Long::sum)));
        }

        /** Returns the counts by name, sorted by name. */
        NavigableMap<String, Long> of(By which) {
            return Maps.require(counts, which);
        }
    }

    private Collection<String> namesOf(By which, HostState host) {
        return switch (which) {
            case ZONE -> zones.computeIfAbsent(host.aggregates(), _ -> zonesOf(host));
            case AGGREGATE -> aggregates.computeIfAbsent(host.aggregates(), _ -> host.aggregates().stream()
                    .map(each -> each.name() != null ? each.name() : String.valueOf(each.uuid()))
                    .distinct()
                    .toList());
            case CELL -> List.of(
                    cells.computeIfAbsent(Objects.requireNonNullElse(host.cellUuid(), NO_CELL), this::cellName));
            case HOST -> List.of(host.host());
        };
    }

    private Collection<String> zonesOf(HostState host) {
        Set<String> ofAggregates = AggregateMetadata.items(host, ZONE);
        Set<String> all = ofAggregates.isEmpty()
                ? Set.of(snapshot.options().defaults().defaultAvailabilityZone())
                : ofAggregates;
        return all.stream().filter(isZoneCounted).toList();
    }

    private String cellName(String uuid) {
        UUID cellUuid = uuid.isEmpty() ? null : Uuids.find(uuid);
        Cell cell = cellUuid == null ? null : snapshot.registry().findCell(cellUuid);
        return cell == null ? uuid : cell.name();
    }
}
