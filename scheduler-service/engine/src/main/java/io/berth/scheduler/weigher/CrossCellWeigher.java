package io.berth.scheduler.weigher;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.RequestedDestination;
import io.berth.scheduler.spi.Constant;
import jakarta.inject.Singleton;
import java.util.function.ToDoubleFunction;

/**
 * Prefers hosts in the source cell of a move that may cross cells. The raw value is 1 for hosts in the cell that the
 * request names as the source, and -1 for other hosts. For all other requests, and if the request names no cell, the
 * raw value is 0 for all hosts.
 *
 * <p>Option: {@code cross_cell_move_weight_multiplier}, default 1000000.
 * <br>Source: nova {@code scheduler/weights/cross_cell.py}.
 */
@Singleton
public final class CrossCellWeigher extends OptionWeigher {
    public CrossCellWeigher() {
        super("cross_cell_move_weight_multiplier", Options.Weights::crossCellMove);
    }

    @Override
    public double raw(HostState host, RequestSpec spec, Options options) {
        return prepare(spec, options).applyAsDouble(host);
    }

    @Override
    public ToDoubleFunction<HostState> prepare(RequestSpec spec, Options options) {
        RequestedDestination destination = spec.requestedDestination();
        String cell = destination == null || !destination.allowCrossCellMove() ? null : destination.cellUuid();
        return cell == null
                ? Constant.ZERO
                : host -> cell.equals(host.cellUuid()) ? 1 : -1;
    }
}
