package io.berth.scheduler.numa.fitting;

import io.berth.scheduler.numa.InstanceNuma;
import java.util.Objects;

/** Whether an instance's topology fits onto a host. */
public sealed interface Fitting {
    /** It does. The ids of the cells are those of the host's cells, page sizes and pinning are decided. */
    record Fitted(InstanceNuma topology) implements Fitting {
        public Fitted {
            Objects.requireNonNull(topology, "topology");
        }
    }

    /** It does not; the obstacle is the one met by the attempt that came furthest. */
    record Unfit(Obstacle obstacle) implements Fitting {
        public Unfit {
            Objects.requireNonNull(obstacle, "obstacle");
        }
    }
}
