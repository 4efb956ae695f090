package io.berth.scheduler.numa.fitting;

import io.berth.scheduler.numa.InstanceNumaCell;
import jakarta.annotation.Nullable;
import java.util.Objects;

/**
 * What became of one instance cell when it was tried on one host cell.
 *
 * @param cell as it is now: also a failed attempt may have decided its page size or its pinning
 * @param obstacle null if it fits; then {@code cell} has the host cell's id
 */
record CellAttempt(InstanceNumaCell cell, @Nullable Obstacle obstacle) {
    CellAttempt {
        Objects.requireNonNull(cell, "cell");
    }

    boolean fits() {
        return obstacle == null;
    }
}
