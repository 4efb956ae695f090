package io.berth.scheduler.nova.database;

import io.berth.database.DatabaseUnavailable;
import io.berth.database.SnapshotFeed;
import io.berth.observability.CountingLogThrottle;
import io.berth.scheduler.config.InventoryOptions;
import io.berth.scheduler.config.service.ConfiguredOptions;
import io.berth.scheduler.host.Place;
import io.berth.scheduler.host.registry.RecordCollection;
import io.berth.scheduler.host.registry.snapshot.RegistryLayers;
import io.berth.scheduler.host.registry.snapshot.RegistrySource;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.annotation.Nullable;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * The registry of hosts as nova's databases have it: compute nodes, services and instances of all cells, and the cells
 * and host aggregates of the API database. Read on demand, unless the content is younger than
 * {@code berth.nova.max-age}; concurrent readers share one reading. An unavailable cell contributes nothing. A line is
 * logged when a cell becomes unavailable, and when it responds again.
 */
@Singleton
public class NovaRegistry implements RegistrySource {
    private static final Logger LOG = Logger.getLogger(NovaRegistry.class);
    /** Limits how often failed readings of the API database are logged. */
    private static final CountingLogThrottle API_AWAY = new CountingLogThrottle();
    /** The collections of records that come from the databases of cells. */
    static final Set<RecordCollection> OF_CELLS =
            Set.of(RecordCollection.COMPUTE_NODES, RecordCollection.SERVICES, RecordCollection.INSTANCES);
    /** The collections of records that come from the API database. */
    private static final Set<RecordCollection> OF_API =
            Set.of(RecordCollection.CELLS, RecordCollection.HOST_AGGREGATES);
    /** The instances of all cells together may use the maximum heap divided by this number. */
    private static final int HEAP_PART = 8;

    private final NovaDatabaseConfig config;
    private final InventoryOptions options;
    private final Duration wholeEvery;
    private final Vertx vertx;
    /** The API database; null if none is configured. */
    private final @Nullable Database api;
    private final SnapshotFeed<NovaContent> feed;
    private final InstanceRoom room = new InstanceRoom(Runtime.getRuntime().maxMemory() / HEAP_PART);
    /** The cells by uuid, including cell0. Not thread-safe, because only one reading at a time uses the map. */
    private final Map<UUID, CellSource> cells = new HashMap<>();
    /** The content of the last successful reading; null before the first one. */
    private volatile @Nullable NovaContent lastContent;
    /** The number of unavailable cells that are not disabled. */
    private volatile int unavailableCells;
    /** The cells of the latest reading, even if the reading is still in progress. */
    private volatile List<CellSource> latestCells = List.of();

    @Inject
    NovaRegistry(NovaDatabaseConfig config, ConfiguredOptions configured, Vertx vertx, MeterRegistry meters) {
        this(config, configured.options().defaults().inventory(), CellSource.WHOLE_EVERY, vertx, meters);
    }

    /**
     * @param options allocation ratios for nodes that have none of their own
     * @param wholeEvery the interval at which the whole content of a cell is read, not only the changes
     */
    NovaRegistry(
            NovaDatabaseConfig config, InventoryOptions options, Duration wholeEvery, Vertx vertx,
            MeterRegistry meters) {
        this.config = config;
        this.options = options;
        this.wholeEvery = wholeEvery;
        this.vertx = vertx;
        api = config.apiDatabase().map(url -> Database.of("nova-api", url, vertx, config.cellTimeout())).orElse(null);
        feed = new SnapshotFeed<>(new Source(), null);
        if (api != null) {
            LOG.infof("hosts are those of nova's databases api=%s", api.url());
        }
        Gauge.builder("berth.nova.cells.unavailable", this, registry -> registry.unavailableCells)
                .description(
                        "Cells of nova, without disabled ones, whose database does not answer: their hosts are left"
                                + " out")
                .register(meters);
    }

    /**
     * The content of nova's databases.
     *
     * @param cells all cells except cell0
     * @param cell0 the cell of instances that could not be scheduled, which has no hosts; null if nova has no such
     * mapping
     * @param layers the registry, one layer for the API database and one for each cell
     * @param beganNanos when the reading began, in {@link System#nanoTime}
     */
    private record NovaContent(
            ApiReading.ApiContent api, List<CellSource> cells, @Nullable CellSource cell0, RegistryLayers layers,
            long beganNanos) {}

    private final class Source implements SnapshotFeed.Source<NovaContent> {
        @Override
        public Uni<NovaContent> read() {
            return NovaRegistry.this.read(lastContent);
        }

        @Override
        public Uni<NovaContent> catchUp(NovaContent previousContent) {
            boolean isRecent = System.nanoTime() - previousContent.beganNanos() < config.maxAge().toNanos();
            return isRecent ? Uni.createFrom().item(previousContent) : NovaRegistry.this.read(previousContent);
        }

        @Override
        public boolean onReadEnd(long beganNanos, @Nullable NovaContent content, @Nullable Throwable failure) {
            // A failed reading fails only the callers that waited for it, not those that wait for the next one.
            return false;
        }
    }

    @Override
    public boolean isForeign() {
        return api != null;
    }

    @Override
    public Duration ownBuildsCounted() {
        return config.ownBuildsCounted();
    }

    @Override
    public Uni<RegistryLayers> current() {
        return feed.fresh().map(NovaContent::layers);
    }

    @Override
    public List<String> silentParts() {
        return latestCells.stream().filter(CellSource::isReadingAwaited).map(cell -> cell.mapping().toString())
                .toList();
    }

    /**
     * Returns how far nova has brought an instance to the host that was chosen for it. Queries the databases each time.
     * Never fails: returns {@code WAITING} if the API database is not configured, was not read yet or does not respond,
     * and if a cell's database does not respond and no other cell shows that the instance has arrived.
     * <br>Source: nova {@code conductor/manager.py}: an instance has a build request until it has a row in a cell, and
     * a task while nova waits for a host for the instance; {@code compute/manager.py} (_do_build_and_run_instance): the
     * instance is building, without a task and without a host, until the compute node has claimed it.
     */
    public Uni<BuildProgress> findBuildProgress(UUID instance, String host) {
        NovaContent content = lastContent;
        if (api == null || content == null) {
            return Uni.createFrom().item(BuildProgress.WAITING);
        }
        // Queries the build request first. nova deletes the build request after the instance has a row in a cell, so
        // one of the two queries finds the instance.
        return orWaiting(ApiReading.isToBeBuilt(api, instance)
                .map(isToBeBuilt -> isToBeBuilt ? BuildProgress.WAITING : BuildProgress.NOT_WAITING))
                .chain(ofBuildRequest -> ofBuildRequest == BuildProgress.WAITING
                        ? Uni.createFrom().item(List.of(ofBuildRequest))
                        : Multi.createFrom().iterable(content.cells())
                                .onItem().transformToUni(cell -> orWaiting(cell.findBuildProgress(instance, host)))
                                .merge(Math.max(1, content.cells().size()))
                                .collect().asList())
                .map(found -> found.contains(BuildProgress.ARRIVED)
                        ? BuildProgress.ARRIVED
                        : found.contains(BuildProgress.WAITING) ? BuildProgress.WAITING : BuildProgress.NOT_WAITING);
    }

    /** Replaces a failure, or no result within the cell timeout, with {@code WAITING}. */
    private Uni<BuildProgress> orWaiting(Uni<BuildProgress> query) {
        return query
                .ifNoItem().after(config.cellTimeout()).fail()
                .onFailure().invoke(failure -> LOG.warnf(
                        "cannot query the host of an instance in nova's databases cause=%s", failure))
                .onFailure().recoverWithItem(BuildProgress.WAITING);
    }

    @Override
    public Uni<Map<UUID, Place>> placesWithoutOperation(Set<UUID> instances) {
        NovaContent content = lastContent;
        List<CellSource> cells = content == null ? List.of() : content.cells();
        return Multi.createFrom().iterable(cells)
                .onItem().transformToUni(cell -> cell.placesWithoutOperation(instances))
                .merge(Math.max(1, cells.size()))
                .collect().asList()
                .ifNoItem().after(config.cellTimeout()).fail()
                .map(NovaRegistry::mergePlaces);
    }

    /** Returns all cells, and cell0, which has the instances that could not be scheduled. */
    Uni<List<CellSource>> cellsAndCell0() {
        return feed.fresh().map(
                content -> Stream.concat(content.cells().stream(), Stream.ofNullable(content.cell0())).toList());
    }

    /**
     * Merges the hosts of instances in all cells. Leaves out an instance that several cells have, because the instance
     * is moving between these cells.
     */
    private static Map<UUID, Place> mergePlaces(List<Map<UUID, Place>> cells) {
        Map<UUID, Place> places = new HashMap<>();
        Set<UUID> inSeveralCells = new HashSet<>();
        cells.forEach(cell -> cell.forEach((instance, place) -> {
            if (places.put(instance, place) != null) {
                inSeveralCells.add(instance);
            }
        }));
        places.keySet().removeAll(inSeveralCells);
        return places;
    }

    private Uni<NovaContent> read(@Nullable NovaContent previousContent) {
        Database apiDatabase = api;
        if (apiDatabase == null) {
            return Uni.createFrom().failure(new IllegalStateException("no database of nova's API is configured"));
        }
        long beganNanos = System.nanoTime();
        Instant now = Instant.now();
        return ApiReading.read(apiDatabase, previousContent == null ? null : previousContent.api())
                .ifNoItem().after(config.cellTimeout()).fail()
                .onFailure().transform(failure -> {
                    long failedReads = API_AWAY.count();
                    if (failedReads > 0) {
                        LOG.warnf("nova's API database does not answer database=%s cause=%s reads=%d",
                                apiDatabase.url(), failure, failedReads);
                    }
                    return new DatabaseUnavailable("of nova's API does not answer");
                })
                .chain(read -> {
                    adjustSources(read);
                    List<CellSource> sources = read.cells().stream().map(cell -> cells.get(cell.uuid())).toList();
                    latestCells = sources;
                    return Multi.createFrom().iterable(sources)
                            .onItem().transformToUni(CellSource::read)
                            .merge(Math.max(1, read.cells().size()))
                            .collect().asList()
                            .replaceWith(() -> toContent(read, now, beganNanos));
                })
                .invoke(content -> lastContent = content);
    }

    private NovaContent toContent(ApiReading.ApiContent read, Instant now, long beganNanos) {
        List<CellSource> sources = read.cells().stream().map(cell -> cells.get(cell.uuid())).toList();
        List<RegistryLayers.Layer> layers = new ArrayList<>();
        layers.add(new RegistryLayers.Layer(OF_API, read.registry(), OF_API));
        // Disabled cells come last, because old rows of a host in a disabled cell must not hide its rows in another
        // cell.
        sources.stream().sorted(Comparator.comparing(cell -> cell.mapping().disabled())).forEach(
                cell -> layers.add(new RegistryLayers.Layer(cell.mapping().layerKey(), cell.registry(), OF_CELLS)));
        unavailableCells = (int) sources.stream().filter(cell -> cell.isUnavailable() && !cell.mapping().disabled())
                .count();
        CellSource cell0 = read.cell0() == null ? null : cells.get(read.cell0().uuid());
        return new NovaContent(read, sources, cell0, new RegistryLayers(layers, now), beganNanos);
    }

    /** Creates, replaces and closes sources, so that there is one for each cell, with the URL of its database. */
    private void adjustSources(ApiReading.ApiContent read) {
        List<ApiReading.Mapping> mappings = new ArrayList<>(read.cells());
        if (read.cell0() != null) {
            mappings.add(read.cell0());
        }
        Set<UUID> present = Set.copyOf(mappings.stream().map(ApiReading.Mapping::uuid).toList());
        cells.entrySet().removeIf(cell -> {
            boolean isGone = !present.contains(cell.getKey());
            if (isGone) {
                cell.getValue().close();
            }
            return isGone;
        });
        room.releaseAllExcept(present);
        mappings.forEach(mapping -> cells.compute(mapping.uuid(), (uuid, source) -> {
            if (source != null && source.mapping().equals(mapping)) {
                return source;
            }
            if (source != null) {
                source.close();
            }
            return new CellSource(mapping, source, config, options, vertx, room, wholeEvery);
        }));
    }
}
