package io.berth.scheduler.numa.fitting;

import io.berth.scheduler.numa.InstanceNumaCell;
import jakarta.annotation.Nullable;
import java.util.Objects;

/**
 * The result of trying one instance cell on one host cell.
 *
 * @param cell the instance cell after the attempt; even a failed attempt may have set its page size or its pinning
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
