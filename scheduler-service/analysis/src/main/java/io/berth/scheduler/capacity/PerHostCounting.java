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
 * @param tally receives the counts, and what prevents a further instance
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
        /** Returns the host {@code placed}, but with the usage of the host {@code before} plus these amounts. */
        HostState withUsage(HostState before, HostState placed) {
            return placed.toBuilder()
                    .vcpusUsed(before.vcpusUsed() + vcpus)
                    .freeRamMb(before.freeRamMb() - memoryMb)
                    .freeDiskMb(before.freeDiskMb() - MIB_PER_GIB * diskGb)
                    .diskMbUsed(before.diskMbUsed() + MIB_PER_GIB * diskGb)
                    .build();
        }
    }

    /**
     * Counts the instances on each host, and adds them to the tally. All parameters are indexed by provider tree. If
     * the time is up, ends and marks the tally as incomplete.
     *
     * @param hosts null for a tree without a host; a host has no candidates if nothing can be claimed on it
     * @param claimsMax the number of claims that placement has room for; -1: the tree violates a demand other than an
     * amount, or has no inventory of a requested class
     * @param stop returns the demand that prevents a further claim; null if none is known
     * @param sizes returns the amounts of one instance on the host; null: the flavor's amounts
     */
    void count(HostState[] hosts, int[] claimsMax, IntFunction<String> stop, IntFunction<InstanceSize> sizes) {
        List<HostState> withRoom = new ArrayList<>();
        int[] indexes = new int[hosts.length];
        for (int i = 0; i < hosts.length; i++) {
            if (claimsMax[i] > 0 && hosts[i] != null) {
                indexes[withRoom.size()] = i;
                withRoom.add(hosts[i]);
            } else if (claimsMax[i] == 0) {
                noteObstacle(stop.apply(i));
            }
        }
        Round first = round(spec, List.copyOf(withRoom), inputs.filters());
        noteRemovedHosts(first, tally);
        int position = 0;
        for (HostState host : first.weighed()) {
            // The weighed hosts are in the same order as in withRoom; filters removed the hosts that are skipped.
            while (withRoom.get(position).facts() != host.facts()) {
                position++;
            }
            int index = indexes[position++];
            if (host.allocationCandidates().isEmpty()) {
                continue;
            }
            String obstacle = null;
            long count = claimsMax[index];
            if (!sensitiveFilters.inOrder().isEmpty()) {
                if (timeIsUp.getAsBoolean()) {
                    tally.markIncomplete("time");
                    return;
                }
                HostCount filled = fill(hosts[index], claimsMax[index], sizes.apply(index));
                count = filled.count();
                obstacle = filled.obstacle();
            }
            tally.add(host, count);
            noteObstacle(obstacle == null ? stop.apply(index) : obstacle);
        }
    }

    private void noteObstacle(@Nullable String obstacle) {
        if (obstacle != null) {
            tally.addObstacle(obstacle, 1);
        }
    }

    /**
     * The result for one host.
     *
     * @param count number of instances that fit
     * @param obstacle the filter or member of the request that prevents a further instance; null if only placement's
     * room does
     */
    private record HostCount(long count, @Nullable String obstacle) {}

    /**
     * Places instances on one host, until a filter or a member of the request removes the host, or {@code claimsMax}
     * instances are placed. All filters check the first instance; only the sensitive ones check the further instances.
     *
     * @param size the amounts of one instance; null: the flavor's amounts
     */
    private HostCount fill(HostState host, long claimsMax, @Nullable InstanceSize size) {
        HostState current = host;
        RequestSpec next = spec;
        for (long count = 0; count < claimsMax; count++) {
            Scheduling scheduling =
                    Scheduling.begin(next, List.of(current),
                            inputsWith(count == 0 ? inputs.filters() : sensitiveFilters));
            refuseError(scheduling.openRound());
            List<RankedHost> attempts = scheduling.openRound().attempts();
            if (attempts.isEmpty()) {
                return new HostCount(count, obstacle(scheduling.openRound()));
            }
            Scheduling placed = scheduling.consume(attempts.getFirst());
            HostState built = afterBuild(host, placed.hosts().getFirst());
            current = size == null ? built : size.withUsage(current, built);
            next = nextRequest(next, placed.spec().instanceGroup());
        }
        return new HostCount(claimsMax, null);
    }

    /**
     * Returns the host after it has built an instance: changed by the placement of the instance, but without the I/O
     * operation of the build, which has ended.
     */
    private static HostState afterBuild(HostState before, HostState placed) {
        return new HostState(placed.facts(), before.allocationCandidates(), Limits.NONE).toBuilder()
                .numIoOps(before.numIoOps())
                .build();
    }

    /**
     * Returns the request for one more instance: for a new uuid, and with the server group after the earlier
     * placements. Returns the same request if it has no server group with a uuid.
     *
     * @param group the server group after the earlier placements; null if there is none
     */
    static RequestSpec nextRequest(RequestSpec before, @Nullable InstanceGroup group) {
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
        Round round = Scheduling.begin(spec, hosts, inputsWith(filters)).openRound();
        refuseError(round);
        return round;
    }

    /** Returns inputs with these filters and no weighers, because the ranking does not matter. */
    private SchedulingInputs inputsWith(EnabledFilters filters) {
        return inputs.with(filters, new EnabledWeighers(List.of()));
    }

    /** Throws ApiFault (400) if the round ended with an error, as a decision on the request would. */
    static void refuseError(Round round) {
        if (round.error() != null) {
            throw ApiFault.invalid(round.error().detail());
        }
    }

    /** Adds to the tally how many hosts each member of the request and each filter removed. */
    static void noteRemovedHosts(Round round, Tally tally) {
        for (Preselection.Dropped dropped : round.preselection().dropped()) {
            tally.addObstacle(dropped.by(), 1);
        }
        for (FilterStep step : round.filters()) {
            tally.addObstacle(step.name(), step.hostCountIn() - step.hostCountOut());
        }
    }

    /** Returns the member of the request or the filter that removed the only host of a round. */
    private static String obstacle(Round round) {
        if (!round.preselection().dropped().isEmpty()) {
            return round.preselection().dropped().getFirst().by();
        }
        return round.filters().getLast().name();
    }
}
