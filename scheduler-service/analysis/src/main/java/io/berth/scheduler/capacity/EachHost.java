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
 * Counts for hosts that do not depend on each other, so that the order in which they fill does not matter.
 *
 * @param heeding the filters whose verdict may change once the host has an instance more
 */
record EachHost(
        SchedulingInputs inputs, RequestSpec spec, EnabledFilters heeding, Tally tally, BooleanSupplier timeIsUp) {
    private static final long MIB_PER_GIB = 1024;

    /**
     * The amounts that an instance takes of its host, as placement counts them.
     *
     * @param memoryMb MiB
     * @param diskGb GiB
     */
    record Taken(long vcpus, long memoryMb, long diskGb) {
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
     * @param hosts null if there is none; without candidates if nothing can be claimed
     * @param offered by the same index how many placement would give
     * @param stop by index the demand that placement cannot meet next; null if none is known
     * @param taken by index; null if the flavor's amounts are taken
     */
    void count(HostState[] hosts, int[] offered, IntFunction<String> stop, IntFunction<Taken> taken) {
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
            // The weighed hosts are in the order of the open ones.
            while (open.get(next).facts() != host.facts()) {
                next++;
            }
            int index = indexes[next++];
            if (host.allocationCandidates().isEmpty()) {
                continue;
            }
            String by = null;
            long held = offered[index];
            if (!heeding.inOrder().isEmpty()) {
                if (timeIsUp.getAsBoolean()) {
                    tally.cut("time");
                    return;
                }
                Held most = fill(hosts[index], offered[index], taken.apply(index));
                held = most.count();
                by = most.by();
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

    /** @param by the filter or member that stopped the next one; null if placement would */
    private record Held(long count, @Nullable String by) {}

    private Held fill(HostState host, long offered, @Nullable Taken taken) {
        HostState now = host;
        RequestSpec next = spec;
        for (long held = 0; held < offered; held++) {
            Scheduling scheduling =
                    Scheduling.begin(next, List.of(now), with(held == 0 ? inputs.filters() : heeding));
            refuseError(scheduling.round());
            List<RankedHost> attempts = scheduling.round().attempts();
            if (attempts.isEmpty()) {
                return new Held(held, stopper(scheduling.round()));
            }
            Scheduling placed = scheduling.consume(attempts.getFirst());
            HostState then = built(host, placed.hosts().getFirst());
            now = taken == null ? then : taken.from(now, then);
            next = next(next, placed.spec().instanceGroup());
        }
        return new Held(offered, null);
    }

    /** Returns the host once it has built the instance placed there, whose operation has ended. */
    private static HostState built(HostState before, HostState placed) {
        return new HostState(placed.facts(), before.allocationCandidates(), Limits.NONE).toBuilder()
                .numIoOps(before.numIoOps())
                .build();
    }

    /** Returns the request for one more instance, whose group includes the earlier placements if it has a uuid. */
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

    private Round round(RequestSpec asked, List<HostState> hosts, EnabledFilters filters) {
        Round round = Scheduling.begin(asked, hosts, with(filters)).round();
        refuseError(round);
        return round;
    }

    /** Returns inputs without weighers: the ranking does not matter. */
    private SchedulingInputs with(EnabledFilters filters) {
        return inputs.with(filters, new EnabledWeighers(List.of()));
    }

    /** Throws ApiFault (400), as the request itself would fail. */
    static void refuseError(Round round) {
        if (round.error() != null) {
            throw ApiFault.invalid(round.error().detail());
        }
    }

    /** Adds the hosts that were removed, by what removed them. */
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
