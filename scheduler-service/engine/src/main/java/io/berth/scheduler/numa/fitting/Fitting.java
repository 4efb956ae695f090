package io.berth.scheduler.numa.fitting;

import io.berth.scheduler.numa.InstanceNuma;
import java.util.Objects;

/** The result of fitting an instance's NUMA topology to a host. */
public sealed interface Fitting {
    /** The topology fits. Its cells have the ids of host cells, page sizes in KiB and the pinning. */
    record Fitted(InstanceNuma topology) implements Fitting {
        public Fitted {
            Objects.requireNonNull(topology, "topology");
        }
    }

    /**
     * The topology does not fit. The obstacle is {@link FittingObstacle.Kind#CELLS} if the host has too few cells, and
     * {@link FittingObstacle.Kind#ATTEMPTS} if the limit of attempts ended the search. Otherwise, it ended the attempt
     * that placed the most cells.
     */
    record Unfit(FittingObstacle obstacle) implements Fitting {
        public Unfit {
            Objects.requireNonNull(obstacle, "obstacle");
        }
    }
}
