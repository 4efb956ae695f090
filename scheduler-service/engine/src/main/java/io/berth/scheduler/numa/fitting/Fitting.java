package io.berth.scheduler.numa.fitting;

import io.berth.scheduler.numa.InstanceNuma;
import java.util.Objects;

/** The result of fitting an instance's topology onto a host. */
public sealed interface Fitting {
    /** The topology fits: its cells have the ids of the host's cells, and page sizes and pinning are decided. */
    record Fitted(InstanceNuma topology) implements Fitting {
        public Fitted {
            Objects.requireNonNull(topology, "topology");
        }
    }

    /** The topology does not fit; the obstacle is that of the attempt that came furthest. */
    record Unfit(Obstacle obstacle) implements Fitting {
        public Unfit {
            Objects.requireNonNull(obstacle, "obstacle");
        }
    }
}
