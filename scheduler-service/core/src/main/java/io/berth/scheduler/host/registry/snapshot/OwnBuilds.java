package io.berth.scheduler.host.registry.snapshot;

import io.berth.scheduler.host.Place;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.RegisteredInstance;
import io.berth.scheduler.host.registry.RegistryRecord;
import jakarta.annotation.Nullable;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Builds: instances that Berth placed on hosts of a {@link RegistrySource}, and that the reports of these hosts do not
 * include yet. A build counts as an I/O operation of its host from its registration until the source has the instance
 * on a host and the host has reported again, or until the instance is deleted or moves to another host. A build counts
 * only for a limited time, because a build whose message to nova-compute was lost is never reported. Immutable.
 */
public final class OwnBuilds {
    /** The builds of a registry that counts only the I/O operations that hosts report. */
    static final OwnBuilds NOT_COUNTED = countedFor(Duration.ZERO);

    /** The time limit in nanoseconds; 0: builds are not counted. */
    private final long countedNanosMax;
    private final Map<UUID, Build> builds;
    private final Map<Place, Integer> counts = new HashMap<>();

    private OwnBuilds(long countedNanosMax, Map<UUID, Build> builds) {
        this.countedNanosMax = countedNanosMax;
        this.builds = builds;
        builds.values().forEach(build -> counts.merge(build.place(), 1, Integer::sum));
    }

    /** Returns an empty object with this time limit; zero: builds are not counted. */
    static OwnBuilds countedFor(Duration timeMax) {
        return new OwnBuilds(timeMax.toNanos(), Map.of());
    }

    /**
     * One build.
     *
     * @param reported record of the node when the build was registered; a later report has another record
     * @param sinceNanos time of the registration by {@link System#nanoTime}
     */
    private record Build(Place place, ComputeNode reported, long sinceNanos) {}

    /** Returns whether builds count before their host reports them. */
    public boolean areCounted() {
        return countedNanosMax > 0;
    }

    /**
     * Returns the number of builds on a node that the node's report does not include. A build whose node is unknown
     * counts on each node of its host.
     */
    public int on(String host, String nodename) {
        return counts.getOrDefault(new Place(host, nodename), 0) + counts.getOrDefault(new Place(host, null), 0);
    }

    /** Calls {@code changed} with each host whose number of builds changed; a host may occur twice. */
    void forEachChangedHost(OwnBuilds before, Consumer<String> changed) {
        if (this != before) {
            counts.forEach((place, count) -> {
                if (!count.equals(before.counts.get(place))) {
                    changed.accept(place.host());
                }
            });
            before.counts.keySet().stream()
                    .filter(place -> !counts.containsKey(place))
                    .forEach(place -> changed.accept(place.host()));
        }
    }

    /**
     * Returns these builds without those that ended, and with the builds that were registered between two snapshots.
     *
     * @param before the earlier snapshot
     * @param now the later snapshot
     * @param changed instances that changed between the snapshots
     * @param isInSource whether the source has the instance on a host
     * @param nowNanos current time by {@link System#nanoTime}
     */
    OwnBuilds after(
            RegistrySnapshot before, RegistrySnapshot now, Set<UUID> changed, Predicate<UUID> isInSource,
            long nowNanos) {
        if (!areCounted() || builds.isEmpty() && changed.isEmpty()) {
            return this;
        }
        Map<UUID, Build> remaining = new HashMap<>(builds);
        remaining.entrySet().removeIf(each -> hasEnded(each.getKey(), each.getValue(), now, isInSource, nowNanos));
        for (UUID uuid : changed) {
            Build build = before.findInstance(uuid) != null || isInSource.test(uuid)
                    ? null
                    : newBuild(uuid, now, nowNanos);
            if (build != null) {
                remaining.put(uuid, build);
            }
        }
        return remaining.equals(builds) ? this : new OwnBuilds(countedNanosMax, remaining);
    }

    /** Returns a build that begins now; null if the instance or its node is not registered. */
    private static @Nullable Build newBuild(UUID uuid, RegistrySnapshot now, long nowNanos) {
        RegisteredInstance instance = now.findInstance(uuid);
        ComputeNode node = instance == null ? null : now.findNodeOf(instance);
        return instance == null || node == null
                ? null
                : new Build(new Place(instance.host(), instance.nodename()), node, nowNanos);
    }

    /**
     * Returns whether the build does not count any more: the instance was deleted or moved to another host, the time
     * limit is over, or the source has the instance and the node has reported again.
     */
    private boolean hasEnded(
            UUID uuid, Build build, RegistrySnapshot now, Predicate<UUID> isInSource, long nowNanos) {
        RegisteredInstance instance = now.findInstance(uuid);
        return instance == null
                || !instance.host().equals(build.place().host())
                || nowNanos - build.sinceNanos() > countedNanosMax
                || isInSource.test(uuid) && now.findComputeNode(build.reported().uuid()) != build.reported();
    }
}
