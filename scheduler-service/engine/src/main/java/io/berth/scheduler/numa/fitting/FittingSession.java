package io.berth.scheduler.numa.fitting;

import io.berth.scheduler.numa.CellDevices;
import io.berth.scheduler.numa.EmulatorThreadsPolicy;
import io.berth.scheduler.numa.HostNuma;
import io.berth.scheduler.numa.HostNumaCell;
import io.berth.scheduler.numa.InstanceNuma;
import io.berth.scheduler.numa.InstanceNumaCell;
import io.berth.scheduler.numa.NumaLimits;
import io.berth.scheduler.numa.fitting.Fitting.Fitted;
import io.berth.scheduler.numa.fitting.Fitting.Unfit;
import io.berth.scheduler.numa.fitting.FittingObstacle.Kind;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Fits the NUMA topology of one instance to one host, once for each allocation candidate of the host.
 *
 * <p><b>Mutable, to reproduce nova's results.</b> Nova changes the requested cells during the search: the ids, page
 * sizes and pinning that one attempt sets remain for the next attempt and for the host's next candidate. Nova's cache
 * of earlier attempts is keyed by these changing ids. If the requested cells are not all equal, the result depends on
 * these changes. Use one session for each host and request, and fit the host's candidates in order. To subtract the
 * instance from the host after the claim, use a new session with the request's topology. Not thread-safe.
 *
 * <p>Cost: one look-up for each pair of instance cell and host cell that is tried. A call checks before each assignment
 * of cells that it does not exceed {@value #LOOKUPS_MAX} look-ups, which suffices for all orders of eight cells. Beyond
 * this limit, the topology counts as unfit. The limit for all candidates of a host together is {@value #CANDIDATES_MAX}
 * times as high; it exists because a simulation may have a hundred thousand candidates.
 * <br>Source: nova {@code virt/hardware.py} (numa_fit_instance_to_host).
 */
public final class FittingSession {
    /** Maximum number of look-ups of one call. */
    static final int LOOKUPS_MAX = 400_000;
    /**
     * Number of candidates of a host that can each use the full {@link #LOOKUPS_MAX}; the calls of one session share
     * {@value} times that limit.
     */
    static final int CANDIDATES_MAX = 10;

    private final HostNuma host;
    private final @Nullable NumaLimits limits;
    private final boolean pack;
    private final @Nullable EmulatorThreadsPolicy emulatorThreads;
    /** The instance's cells with the changes of previous attempts. */
    private final InstanceNumaCell[] cells;
    /** The remaining number of look-ups of all calls together. */
    private int lookupsLeft = CANDIDATES_MAX * LOOKUPS_MAX;

    /**
     * @param limits overcommit limits and networks; null for none
     * @param pack {@code [compute] packing_host_numa_cells_allocation_strategy}
     */
    public FittingSession(HostNuma host, InstanceNuma requested, @Nullable NumaLimits limits, boolean pack) {
        this.host = Objects.requireNonNull(host, "host");
        this.limits = limits;
        this.pack = pack;
        this.emulatorThreads = requested.emulatorThreadsPolicy();
        this.cells = requested.cells().toArray(InstanceNumaCell[]::new);
    }

    /**
     * Fits the topology for one candidate.
     *
     * @param devices the host's PCI devices for the candidate; null if the host reports no PCI data
     */
    public Fitting fit(@Nullable CellDevices devices) {
        if (host.cells().size() < cells.length) {
            return new Unfit(FittingObstacle.ofHost(Kind.CELLS, cells.length, host.cells().size()));
        }
        return new Search(CellOrder.of(host, Arrays.asList(cells), pack, devices), devices).run();
    }

    private record CellPair(int hostCell, int instanceCell) {}

    /** The search of one call, with its cache of attempts. */
    private final class Search {
        private final List<HostNumaCell> orderedCells;
        private final @Nullable CellDevices devices;
        private final CellAssignments assignments;
        private final Map<CellPair, CellAttempt> attempts = new HashMap<>();
        /**
         * Sets of ids of host cells that were checked and lack the requested devices or networks. The order of cells is
         * irrelevant for devices and networks, so a set is checked only once.
         */
        private final Set<Set<Integer>> unsuitableCells = new HashSet<>();

        private int lookups;
        private int furthestIndex = -1;
        private @Nullable FittingObstacle furthestObstacle;
        /** True if the current assignment tried a pair for the first time or changed an id. */
        private boolean changed;

        Search(List<HostNumaCell> orderedCells, @Nullable CellDevices devices) {
            this.orderedCells = orderedCells;
            this.devices = devices;
            this.assignments = new CellAssignments(orderedCells.size(), cells.length);
        }

        Fitting run() {
            boolean hasNext = true;
            while (hasNext && lookups <= LOOKUPS_MAX && lookupsLeft > 0) {
                changed = false;
                int placedCount = placeAll();
                if (placedCount == cells.length && hasDevicesAndNetworks()) {
                    return new Fitted(new InstanceNuma(List.of(cells), emulatorThreads));
                }
                // If an attempt failed and changed nothing, all assignments with the same first cells would fail in the
                // same way, and are skipped.
                boolean failsAgain = placedCount < cells.length && !changed;
                hasNext = assignments.advance(failsAgain ? placedCount + 1 : cells.length);
            }
            // The furthest obstacle is not null: at least one assignment was tried, and the first to fail left one.
            return new Unfit(hasNext
                    ? FittingObstacle.ofHost(Kind.ATTEMPTS, lookups, LOOKUPS_MAX)
                    : Objects.requireNonNull(furthestObstacle));
        }

        /**
         * Places the cells of the current assignment in order. Returns the number of cells that fit before the first
         * one that does not; the number of all cells if all fit.
         */
        private int placeAll() {
            for (int index = 0; index < cells.length; index++) {
                lookups++;
                lookupsLeft--;
                FittingObstacle obstacle = place(index, orderedCells.get(assignments.position(index)));
                if (obstacle != null) {
                    noteObstacle(index, obstacle);
                    return index;
                }
            }
            return cells.length;
        }

        private @Nullable FittingObstacle place(int index, HostNumaCell hostCell) {
            var pair = new CellPair(hostCell.id(), cells[index].id());
            CellAttempt earlier = attempts.get(pair);
            if (earlier == null) {
                changed = true;
                int reserved = emulatorThreads == EmulatorThreadsPolicy.ISOLATE && index == 0 ? 1 : 0;
                CellAttempt attempt = CellFit.attempt(hostCell, cells[index], limits, reserved);
                attempts.put(pair, attempt);
                cells[index] = attempt.cell();
                return attempt.obstacle();
            }
            // A cached success sets only the id. Page size and pinning stay as the latest attempt set them.
            if (earlier.fits() && cells[index].id() != hostCell.id()) {
                changed = true;
                cells[index] = cells[index].withId(hostCell.id());
            }
            return earlier.obstacle();
        }

        private boolean hasDevicesAndNetworks() {
            var chosen = new ArrayList<HostNumaCell>();
            var ids = new HashSet<Integer>();
            for (int index = 0; index < cells.length; index++) {
                HostNumaCell cell = orderedCells.get(assignments.position(index));
                chosen.add(cell);
                ids.add(cell.id());
            }
            if (unsuitableCells.contains(ids)) {
                return false;
            }
            boolean hasDevices = devices == null || !devices.requested() || devices.satisfiableOn(ids);
            boolean hasNetworks =
                    hasDevices && (limits == null || NetworkAffinity.isNear(host, chosen, limits.network()));
            if (!hasNetworks) {
                unsuitableCells.add(ids);
                noteObstacle(cells.length, FittingObstacle.ofHost(hasDevices ? Kind.NETWORK : Kind.PCI, 1, 0));
            }
            return hasNetworks;
        }

        /** Keeps the obstacle if more cells than ever before were placed when it occurred. */
        private void noteObstacle(int placedCount, FittingObstacle obstacle) {
            if (placedCount > furthestIndex) {
                furthestIndex = placedCount;
                furthestObstacle = obstacle;
            }
        }
    }
}
