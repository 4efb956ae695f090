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
import io.berth.scheduler.numa.fitting.Obstacle.Kind;
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
 * Fits one instance onto one host, once per allocation candidate of that host.
 *
 * <p><b>Mutable, for a reason.</b> nova changes the requested cells while it tries: ids, page sizes and pinning of one
 * attempt stay for the next one and for the host's next candidate, and its cache of earlier attempts is keyed by those
 * changing ids. If the cells differ, verdicts depend on this, so this class reproduces it. Use one session per host and
 * request, try its candidates in order, and drop it. For consumption start a new session from the request's topology.
 * Not thread-safe.
 *
 * <p>Cost: one look-up per pair of cells tried, at most {@value #LOOKUPS_MAX} per call; beyond that the host counts as
 * unfit (all orders of eight cells need fewer). All candidates of a host together may use {@value #CANDIDATES_MAX}
 * times as many, because a simulation may name a hundred thousand candidates.
 * <br>Source: nova {@code virt/hardware.py} (numa_fit_instance_to_host).
 */
public final class FittingSession {
    static final int LOOKUPS_MAX = 400_000;
    /** The number of a host's candidates for which all orders can be tried if none fits. */
    static final int CANDIDATES_MAX = 10;

    private final HostNuma host;
    private final @Nullable NumaLimits limits;
    private final boolean pack;
    private final @Nullable EmulatorThreadsPolicy emulatorThreads;
    /** The instance's cells as the previous attempts left them. */
    private final InstanceNumaCell[] cells;
    /** The look-ups left for all calls together. */
    private int lookupsLeft = CANDIDATES_MAX * LOOKUPS_MAX;

    /**
     * @param limits null: no overcommit limits, no networks
     * @param pack {@code [compute] packing_host_numa_cells_allocation_strategy}
     */
    public FittingSession(HostNuma host, InstanceNuma requested, @Nullable NumaLimits limits, boolean pack) {
        this.host = Objects.requireNonNull(host, "host");
        this.limits = limits;
        this.pack = pack;
        this.emulatorThreads = requested.emulatorThreadsPolicy();
        this.cells = requested.cells().toArray(InstanceNumaCell[]::new);
    }

    /** @param devices the candidate's view of the host's PCI devices; null if the host has no PCI data */
    public Fitting fit(@Nullable CellDevices devices) {
        if (host.cells().size() < cells.length) {
            return new Unfit(Obstacle.ofHost(Kind.CELLS, cells.length, host.cells().size()));
        }
        return new Search(CellOrder.of(host, Arrays.asList(cells), pack, devices), devices).run();
    }

    private record CellPair(int hostCell, int instanceCell) {}

    /** One call with its own cache of tried pairs. */
    private final class Search {
        private final List<HostNumaCell> ordered;
        private final @Nullable CellDevices devices;
        private final CellAssignments assignments;
        private final Map<CellPair, CellAttempt> known = new HashMap<>();
        /** Sets of host cells that lack the devices or networks; the order of the cells does not matter. */
        private final Set<Set<Integer>> farFromWishes = new HashSet<>();

        private int lookups;
        private int furthest = -1;
        private @Nullable Obstacle furthestObstacle;
        /** True if the current assignment tried a pair for the first time or changed an id. */
        private boolean changed;

        Search(List<HostNumaCell> ordered, @Nullable CellDevices devices) {
            this.ordered = ordered;
            this.devices = devices;
            this.assignments = new CellAssignments(ordered.size(), cells.length);
        }

        Fitting run() {
            boolean more = true;
            while (more && lookups <= LOOKUPS_MAX && lookupsLeft > 0) {
                changed = false;
                int placed = placeAll();
                if (placed == cells.length && meetsWishes()) {
                    return new Fitted(new InstanceNuma(List.of(cells), emulatorThreads));
                }
                // An attempt that changed nothing would end the same way for all assignments with the same beginning.
                boolean repeats = placed < cells.length && !changed;
                more = assignments.advance(repeats ? placed + 1 : cells.length);
            }
            return new Unfit(more ? Obstacle.ofHost(Kind.ATTEMPTS, lookups, LOOKUPS_MAX) : furthestObstacle);
        }

        /** Returns the number of instance cells that fitted before one did not. */
        private int placeAll() {
            for (int index = 0; index < cells.length; index++) {
                lookups++;
                lookupsLeft--;
                Obstacle obstacle = place(index, ordered.get(assignments.position(index)));
                if (obstacle != null) {
                    note(index, obstacle);
                    return index;
                }
            }
            return cells.length;
        }

        private @Nullable Obstacle place(int index, HostNumaCell hostCell) {
            var pair = new CellPair(hostCell.id(), cells[index].id());
            CellAttempt earlier = known.get(pair);
            if (earlier == null) {
                changed = true;
                int reserved = emulatorThreads == EmulatorThreadsPolicy.ISOLATE && index == 0 ? 1 : 0;
                CellAttempt attempt = CellFit.attempt(hostCell, cells[index], limits, reserved);
                known.put(pair, attempt);
                cells[index] = attempt.cell();
                return attempt.obstacle();
            }
            if (earlier.fits() && cells[index].id() != hostCell.id()) {
                changed = true;
                cells[index] = cells[index].withId(hostCell.id());
            }
            return earlier.obstacle();
        }

        private boolean meetsWishes() {
            var chosen = new ArrayList<HostNumaCell>();
            var ids = new HashSet<Integer>();
            for (int index = 0; index < cells.length; index++) {
                HostNumaCell cell = ordered.get(assignments.position(index));
                chosen.add(cell);
                ids.add(cell.id());
            }
            if (farFromWishes.contains(ids)) {
                return false;
            }
            boolean devicesThere = devices == null || !devices.requested() || devices.satisfiableOn(ids);
            boolean networksThere =
                    devicesThere && (limits == null || NetworkAffinity.isNear(host, chosen, limits.network()));
            if (!networksThere) {
                farFromWishes.add(ids);
                note(cells.length, Obstacle.ofHost(devicesThere ? Kind.NETWORK : Kind.PCI, 1, 0));
            }
            return networksThere;
        }

        private void note(int placed, Obstacle obstacle) {
            if (placed > furthest) {
                furthest = placed;
                furthestObstacle = obstacle;
            }
        }
    }
}
