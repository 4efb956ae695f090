package io.berth.scheduler.capacity;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.context.Recurring;
import io.berth.scheduler.capacity.CapacityBody.By;
import io.berth.scheduler.host.AggregateMetadata;
import io.berth.scheduler.host.registry.RecordCollection;
import io.berth.scheduler.host.registry.RegisteredAggregate;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.job.AnalysisJobs;
import io.berth.scheduler.job.AsOf;
import io.berth.scheduler.job.Deadline;
import io.berth.scheduler.job.FleetQuery;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.json.WrittenJson;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * Counts the watched requests in every interval, if placement, the registry or the watches have changed, or a watch has
 * no count. A service that goes up or down changes none of these, so all watches are counted again {@value
 * #INTERVALS_MAX} intervals after a count. One replica has the turn to count, and all replicas publish the stored
 * counts as metrics. Another replica takes the turn if a count failed, or if the turn was not renewed for {@value
 * #TURN_INTERVALS} intervals.
 */
@Singleton
class Watches {
    private static final Logger LOG = Logger.getLogger(Watches.class);
    /** The number of intervals after which a count is repeated even if no input has changed. */
    private static final int INTERVALS_MAX = 4;
    /** The number of intervals after which a turn ends unless it is renewed. */
    private static final int TURN_INTERVALS = 3;
    /**
     * The divisor of an interval: one analysis may take the resulting time, so that the analyses of operators get the
     * worker, too.
     */
    private static final int ANALYSES_PER_INTERVAL = 3;
    /**
     * The maximum number of time series of the gauge, each of 700 bytes. Each watch has an equal share of them, with
     * one time series per zone; further zones are left out.
     */
    static final int GAUGES_MAX = 10_000;
    /** The maximum number of characters in the name of a zone, as in nova. Zones with longer names are left out. */
    private static final int ZONE_LENGTH_MAX = 255;
    /** The id of this replica in turns. */
    private final UUID replica = UUID.randomUUID();
    private final Duration interval;
    private final WatchStore store;
    private final AnalysisJobs jobs;
    private final MultiGauge gauge;
    /**
     * The inputs of the last count by this replica; null before the first, and after there were no watches. Only the
     * recurring task writes it.
     */
    private volatile @Nullable Basis basis;
    /**
     * Unreadable bodies that were logged already, so that each is logged once. A body that is too long to be read is
     * represented by the watch's name.
     */
    private volatile Set<String> logged = Set.of();

    /**
     * The inputs on which a count depends.
     *
     * @param watches bodies as JSON text, by the watch's name
     * @param asOf version of placement's fleet
     * @param age number of intervals since the count, at the next check of these inputs
     */
    private record Basis(Map<String, String> watches, RegistrySnapshot registry, AsOf asOf, int age) {
        /** Returns whether the count is still valid. */
        boolean isValid(Map<String, String> watchesNow, RegistrySnapshot registryNow, AsOf asOfNow) {
            return age < INTERVALS_MAX
                    && watches.equals(watchesNow)
                    && Arrays.stream(RecordCollection.values()).noneMatch(
                            collection -> registryNow.mayDiffer(registry, collection))
                    && Objects.equals(asOf.replica(), asOfNow.replica())
                    && Objects.equals(asOf.fleetVersion(), asOfNow.fleetVersion());
        }

        /** Returns these inputs one interval later. */
        Basis older() {
            return new Basis(watches, registry, asOf, age + 1);
        }
    }

    /** @param interval the shortest time between two counts of the watched requests */
    Watches(
            @ConfigProperty(name = "berth.scheduler.capacity.interval", defaultValue = "15S") Duration interval,
            WatchStore store,
            AnalysisJobs jobs,
            MeterRegistry meters) {
        this.interval = interval;
        this.store = store;
        this.jobs = jobs;
        this.gauge = MultiGauge.builder("berth.capacity.instances")
                .description("Instances of a watched request that would still be placed, by zone")
                .register(meters);
    }

    void start(@Observes StartupEvent started, Recurring recurring) {
        recurring.every(interval, this::refresh, "watched capacity not counted");
    }

    /** Counts if this replica has the turn, and publishes the stored counts. */
    private Uni<Void> refresh() {
        return store.list().map(this::readable).chain(watches -> {
            if (watches.isEmpty()) {
                basis = null;
                publish(watches);
                return Uni.createFrom().voidItem();
            }
            return inTurn(() -> count(watches))
                    .chain(store::list)
                    .map(this::readable)
                    .invoke(this::publish)
                    .replaceWithVoid();
        });
    }

    /** Runs work if this replica takes or renews the turn; otherwise does nothing. */
    private Uni<Void> inTurn(Supplier<Uni<Void>> work) {
        return store.takeTurn(replica, interval.multipliedBy(TURN_INTERVALS))
                .chain(isOurs -> isOurs ? work.get() : Uni.createFrom().voidItem());
    }

    /**
     * Returns the watches that this version of Berth can read, and logs the other ones. Unreadable watches are neither
     * counted nor published, because their counts would be outdated.
     */
    Map<String, WatchStore.Watch> readable(Map<String, WatchStore.Watch> watches) {
        Map<String, WatchStore.Watch> readable = new LinkedHashMap<>();
        Set<String> stillUnreadable = new HashSet<>();
        watches.forEach((name, watch) -> {
            String cause = whyUnreadable(name, watch);
            if (cause == null) {
                readable.put(name, watch);
                return;
            }
            String body = Objects.requireNonNullElse(watch.body(), name);
            stillUnreadable.add(body);
            if (!logged.contains(body)) {
                LOG.warnf("watch not counted: this version cannot read its body name=%s cause=%s", name, cause);
            }
        });
        logged = stillUnreadable;
        return readable;
    }

    /** Returns why a watch cannot be read; null if it can. */
    private static @Nullable String whyUnreadable(String name, WatchStore.Watch watch) {
        if (watch.body() == null) {
            return WatchesEndpoint.WHY_UNREAD;
        }
        try {
            countedRequest(name, watch.body());
            return null;
        } catch (ApiFault invalid) {
            return invalid.getMessage();
        }
    }

    private static CountedRequest countedRequest(String name, String body) {
        return CountedRequest.ofWatch(WatchStore.parseJson(body), name);
    }

    /** Counts all watches if one has no count, or an input has changed. On failure, ends the turn of this replica. */
    private Uni<Void> count(Map<String, WatchStore.Watch> watches) {
        return ask(snapshot -> newBasis(snapshot, watches))
                .chain(now -> now == null ? Uni.createFrom().voidItem() : countAll(watches).invoke(() -> basis = now))
                .onFailure().call(failed -> store.passTurn(replica));
    }

    /**
     * Counts all watches in several analyses, and stores the counts of each. Skips an analysis if this replica cannot
     * renew its turn before it.
     */
    private Uni<Void> countAll(Map<String, WatchStore.Watch> watches) {
        return Multi.createFrom().iterable(splitIntoAnalyses(watches))
                .onItem().transformToUniAndConcatenate(part -> inTurn(
                        () -> ask(snapshot -> count(snapshot, part, zonesMax(watches.size())))
                                .chain(counted -> store.storeCounts(part, counted))))
                .onItem().ignoreAsUni();
    }

    /**
     * Runs an analysis on the analysis worker. Once it starts, it may take only a part of an interval, because
     * operators' analyses wait for the same worker, and the turn must be renewed in time.
     */
    private <T> Uni<T> ask(Function<Snapshot, T> analysis) {
        return jobs.run(
                new Deadline(Deadline.MAX), "req-" + UUID.randomUUID(),
                snapshot -> analysis.apply(snapshot.within(interval.dividedBy(ANALYSES_PER_INTERVAL))));
    }

    /**
     * Splits the watches into analyses. All watches whose last count was complete, and did not place one instance after
     * the other, share the first analysis. Each of the other watches has its own. Returns bodies by name for each
     * analysis.
     */
    static List<Map<String, String>> splitIntoAnalyses(Map<String, WatchStore.Watch> watches) {
        Map<String, String> quick = new LinkedHashMap<>();
        List<Map<String, String>> batches = new ArrayList<>();
        watches.forEach((name, watch) -> {
            JsonNode counted = counted(watch);
            if (counted != null
                    && counted.path("complete").asBoolean()
                    && counted.path("method").asText().equals("each_host")) {
                quick.put(name, watch.body());
            } else {
                batches.add(Map.of(name, watch.body()));
            }
        });
        if (!quick.isEmpty()) {
            batches.addFirst(quick);
        }
        return batches;
    }

    /** Returns the last count of the watch, parsed; null if there is none. */
    private static @Nullable JsonNode counted(WatchStore.Watch watch) {
        return watch.counted() == null ? null : WatchStore.parseJson(watch.counted());
    }

    /** Returns the inputs of a new count; null if all watches have a count and no input has changed. */
    private @Nullable Basis newBasis(Snapshot snapshot, Map<String, WatchStore.Watch> watches) {
        Map<String, String> bodies = new LinkedHashMap<>();
        watches.forEach((name, watch) -> bodies.put(name, watch.body()));
        AsOf now = asOf(snapshot);
        Basis before = basis;
        if (before != null
                && watches.values().stream().allMatch(watch -> watch.counted() != null)
                && before.isValid(bodies, snapshot.registry(), now)) {
            basis = before.older();
            return null;
        }
        return new Basis(bodies, snapshot.registry(), now, 1);
    }

    /** Returns the present version of placement's fleet, which the response to an empty query names. */
    private static AsOf asOf(Snapshot snapshot) {
        snapshot.ask(List.of(new FleetQuery.Trees(List.of())));
        return snapshot.asOf();
    }

    /**
     * Returns the maximum number of zones that are counted for each watch. A limit is necessary, because the metadata
     * of one aggregate may list thousands of zones.
     */
    private static int zonesMax(int watches) {
        return GAUGES_MAX / watches;
    }

    /**
     * Counts some watches. Returns the counts as JSON text, by name.
     *
     * @param watches bodies as JSON text, by name
     * @param zonesMax maximum number of zones of each count
     */
    private static Map<String, String> count(Snapshot snapshot, Map<String, String> watches, int zonesMax) {
        AsOf now = asOf(snapshot);
        List<CountedRequest> requests = watches.entrySet().stream()
                .map(watch -> countedRequest(watch.getKey(), watch.getValue()))
                .toList();
        Set<String> zones = zones(snapshot.registry(), snapshot.options().defaults().defaultAvailabilityZone());
        Set<String> shown =
                zones.stream().filter(Watches::isShown).limit(zonesMax).collect(Collectors.toCollection(TreeSet::new));
        int leftOut = zones.size() - shown.size();
        // A host may be in a zone that is not in the metadata of any registered aggregate.
        Split byZone = new Split(EnumSet.of(By.ZONE), snapshot, zone -> isShown(zone)
                && (shown.contains(zone) || shown.size() < zonesMax && shown.add(zone)));
        List<Tally> tallies = CapacityCounting.leniently(snapshot, byZone).countEach(requests);
        Map<String, String> counted = new LinkedHashMap<>();
        for (int i = 0; i < tallies.size(); i++) {
            Tally tally = tallies.get(i);
            Map<String, Long> instances = new TreeMap<>();
            if (tally.refusal() == null) {
                shown.forEach(zone -> instances.put(zone, 0L));
                // The tally has parts, because byZone splits the counts.
                instances.putAll(Objects.requireNonNull(tally.parts()).of(By.ZONE));
            }
            counted.put(requests.get(i).name(), render(now, tally, instances, leftOut));
        }
        return counted;
    }

    /** Returns whether a zone is shown: its name is not too long. */
    private static boolean isShown(String zone) {
        return zone.length() <= ZONE_LENGTH_MAX;
    }

    /**
     * Renders a count as it is stored.
     *
     * @param zones instances by zone, 0 for a zone in which none fits; empty if the request was refused
     * @param zonesLeftOut number of zones that are not counted, because there are too many or their names are too long
     */
    private static String render(AsOf asOf, Tally tally, Map<String, Long> zones, int zonesLeftOut) {
        return WrittenJson.objectText(json -> {
            asOf.render(json);
            CapacityJson.write(json, tally);
            json.writeObjectFieldStart("zones");
            WrittenJson.writeNumbers(json, zones);
            json.writeEndObject();
            if (zonesLeftOut > 0) {
                json.writeNumberField("zones_left_out", zonesLeftOut);
            }
        });
    }

    /**
     * Returns the zones in the metadata of aggregates, and the default zone if there are no zones, or if the host of a
     * service is in none.
     */
    static Set<String> zones(RegistrySnapshot registry, String defaultZone) {
        Set<String> zones = new TreeSet<>();
        Set<String> hostsInZones = new HashSet<>();
        for (RegisteredAggregate aggregate : registry.listAggregates()) {
            String zonesOfAggregate = aggregate.metadata().get("availability_zone");
            if (zonesOfAggregate != null) {
                zones.addAll(AggregateMetadata.split(zonesOfAggregate));
                hostsInZones.addAll(aggregate.hosts());
            }
        }
        if (zones.isEmpty() || !registry.listServices().stream().allMatch(each -> hostsInZones.contains(each.host()))) {
            zones.add(defaultZone);
        }
        return zones;
    }

    /** Publishes the counts as time series, replacing all earlier ones. Leaves out incomplete and refused counts. */
    void publish(Map<String, WatchStore.Watch> watches) {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        watches.forEach((name, watch) -> {
            JsonNode counted = counted(watch);
            if (counted != null && counted.path("complete").asBoolean() && !counted.has("refused")) {
                counted.path("zones").properties().stream()
                        .filter(zone -> isShown(zone.getKey()))
                        .limit(zonesMax(watches.size()))
                        .forEach(zone -> rows.add(MultiGauge.Row.of(
                                Tags.of("watch", name, "zone", zone.getKey()), zone.getValue().asLong())));
            }
        });
        gauge.register(rows, true);
    }
}
