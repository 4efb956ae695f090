package io.berth.scheduler.numa.fitting;

import io.berth.scheduler.numa.InstanceNumaCell;
import jakarta.annotation.Nullable;
import java.util.Objects;

/**
 * The result of fitting one instance cell to one host cell.
 *
 * @param cell the instance cell after the attempt. Even a failed attempt may have set its page size or pinning. If the
 *         cell fits, its id is the host cell's
 * @param obstacle null if the cell fits
 */
record CellAttempt(InstanceNumaCell cell, @Nullable FittingObstacle obstacle) {
    CellAttempt {
        Objects.requireNonNull(cell, "cell");
    }

    boolean fits() {
        return obstacle == null;
    }
}
