package io.berth.scheduler.capacity;

import io.berth.scheduler.decision.FilterStep;
import io.berth.scheduler.decision.Preselection;
import io.berth.scheduler.decision.Round;
import io.berth.scheduler.decision.Scheduling;
import io.berth.scheduler.decision.SchedulingInputs;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.Limits;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.request.InstanceGroup;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.weigher.EnabledWeighers;
import io.berth.scheduler.weigher.RankedHost;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;

/**
 * Counts how many instances fit on hosts that do not depend on each other, so that the order in which they fill does
 * not matter.
 *
 * @param sensitiveFilters the filters whose verdict on a host may change once the host has one more instance
 * @param tally gets the counts, and what stops the next instance
 */
record PerHostCounting(
        SchedulingInputs inputs, RequestSpec spec, EnabledFilters sensitiveFilters, Tally tally,
        BooleanSupplier timeIsUp) {
    private static final long MIB_PER_GIB = 1024;

    /**
     * The amounts that one instance takes from its host, as placement counts them.
     *
     * @param memoryMb MiB
     * @param diskGb GiB
     */
    record InstanceSize(long vcpus, long memoryMb, long diskGb) {
        /** Returns the host {@code placed} with the usage of the host {@code before} plus these amounts. */
        HostState from(HostState before, HostState placed) {
            return placed.toBuilder()
                    .vcpusUsed(before.vcpusUsed() + vcpus)
                    .freeRamMb(before.freeRamMb() - memoryMb)
                    .freeDiskMb(before.freeDiskMb() - MIB_PER_GIB * diskGb)
                    .diskMbUsed(before.diskMbUsed() + MIB_PER_GIB * diskGb)
                    .build();
        }
    }

    /**
     * Counts all hosts.
     *
     * @param hosts the hosts; an element is null if there is no host, and has no candidates if nothing can be claimed
     * @param offered by the same index the number of claims that placement has room for; -1: the tree is excluded
     * @param stop by index the demand that prevents a further claim; null if none is known
     * @param taken by index the amounts of one instance; null: those of the flavor
     */
    void count(HostState[] hosts, int[] offered, IntFunction<String> stop, IntFunction<InstanceSize> taken) {
        List<HostState> open = new ArrayList<>();
        int[] indexes = new int[hosts.length];
        for (int i = 0; i < hosts.length; i++) {
            if (offered[i] > 0 && hosts[i] != null) {
                indexes[open.size()] = i;
                open.add(hosts[i]);
            } else if (offered[i] == 0) {
                stopped(stop.apply(i));
            }
        }
        Round first = round(spec, List.copyOf(open), inputs.filters());
        stopped(first, tally);
        int next = 0;
        for (HostState host : first.weighed()) {
            // The weighed hosts are in the same order as the list open.
            while (open.get(next).facts() != host.facts()) {
                next++;
            }
            int index = indexes[next++];
            if (host.allocationCandidates().isEmpty()) {
                continue;
            }
            String by = null;
            long held = offered[index];
            if (!sensitiveFilters.inOrder().isEmpty()) {
                if (timeIsUp.getAsBoolean()) {
                    tally.cut("time");
                    return;
                }
                HostCount filled = fill(hosts[index], offered[index], taken.apply(index));
                held = filled.count();
                by = filled.by();
            }
            tally.add(host, held);
            stopped(by == null ? stop.apply(index) : by);
        }
    }

    private void stopped(@Nullable String by) {
        if (by != null) {
            tally.stop(by, 1);
        }
    }

    /**
     * The result for one host.
     *
     * @param count number of instances that fit
     * @param by the filter or member of the request that stops the next instance; null if placement does
     */
    private record HostCount(long count, @Nullable String by) {}

    /** Places instances on one host, until a filter or placement stops the next one. */
    private HostCount fill(HostState host, long offered, @Nullable InstanceSize taken) {
        HostState now = host;
        RequestSpec next = spec;
        for (long held = 0; held < offered; held++) {
            Scheduling scheduling =
                    Scheduling.begin(next, List.of(now), with(held == 0 ? inputs.filters() : sensitiveFilters));
            refuseError(scheduling.round());
            List<RankedHost> attempts = scheduling.round().attempts();
            if (attempts.isEmpty()) {
                return new HostCount(held, stopper(scheduling.round()));
            }
            Scheduling placed = scheduling.consume(attempts.getFirst());
            HostState then = afterBuild(host, placed.hosts().getFirst());
            now = taken == null ? then : taken.from(now, then);
            next = next(next, placed.spec().instanceGroup());
        }
        return new HostCount(offered, null);
    }

    /**
     * Returns the host after it has built an instance: with the placement's changes, but without the I/O operation of
     * the build.
     */
    private static HostState afterBuild(HostState before, HostState placed) {
        return new HostState(placed.facts(), before.allocationCandidates(), Limits.NONE).toBuilder()
                .numIoOps(before.numIoOps())
                .build();
    }

    /**
     * Returns the request for one more instance. Its server group includes the earlier placements, if the group has a
     * uuid.
     */
    static RequestSpec next(RequestSpec before, @Nullable InstanceGroup group) {
        if (group == null || group.findUuid() == null) {
            return before;
        }
        String instance = UUID.randomUUID().toString();
        return before.toBuilder()
                .instanceUuid(instance)
                .instanceUuids(List.of(instance))
                .instanceGroup(group.withMembers(List.of(instance)))
                .build();
    }

    private Round round(RequestSpec spec, List<HostState> hosts, EnabledFilters filters) {
        Round round = Scheduling.begin(spec, hosts, with(filters)).round();
        refuseError(round);
        return round;
    }

    /** Returns inputs with these filters and no weighers, because the ranking does not matter. */
    private SchedulingInputs with(EnabledFilters filters) {
        return inputs.with(filters, new EnabledWeighers(List.of()));
    }

    /** Throws ApiFault (400) if the round ended with an error, as a decision on the request would. */
    static void refuseError(Round round) {
        if (round.error() != null) {
            throw ApiFault.invalid(round.error().detail());
        }
    }

    /** Adds to the tally how many hosts each member of the request and each filter removed. */
    static void stopped(Round round, Tally tally) {
        for (Preselection.Dropped dropped : round.preselection().dropped()) {
            tally.stop(dropped.by(), 1);
        }
        for (FilterStep step : round.filters()) {
            tally.stop(step.name(), step.hostCountIn() - step.hostCountOut());
        }
    }

    /** Returns what removed the only host of a round. */
    private static String stopper(Round round) {
        if (!round.preselection().dropped().isEmpty()) {
            return round.preselection().dropped().getFirst().by();
        }
        return round.filters().getLast().name();
    }
}
