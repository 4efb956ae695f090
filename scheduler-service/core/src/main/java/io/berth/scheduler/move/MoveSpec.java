package io.berth.scheduler.move;

import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.RequestedDestination;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Changes the request spec of a move before a target is selected: sets the instance, as the only one, and the cell of
 * the source; adds the source to the hosts to ignore if it may not be selected; and removes forced hosts. Pure.
 * <br>Source: nova {@code conductor/tasks/migrate.py}, {@code conductor/tasks/live_migrate.py},
 * {@code conductor/manager.py}.
 */
public final class MoveSpec {
    private MoveSpec() {}

    /**
     * Returns the spec with which the target is selected.
     *
     * @param requested the spec as the client sent it
     * @param source null if the last host of a shelved instance is unknown
     * @param sameHostAllowed whether the source may be selected as the target; if not, the source is added to the hosts
     *     to ignore
     */
    public static RequestSpec of(
            MoveKind kind, UUID instance, RequestSpec requested, @Nullable SourceHost source, boolean sameHostAllowed) {
        RequestSpec.Builder spec = requested.toBuilder()
                .instanceUuid(instance.toString())
                .instanceUuids(List.of(instance.toString()))
                .numInstances(1)
                .requestedDestination(destination(kind, requested, source))
                // Forced hosts were meant for the first placement of the instance. A target that the client names
                // for this move is in requestedDestination.
                .forceHosts(List.of())
                .forceNodes(List.of());
        if (kind.leavesSource() && source != null && !sameHostAllowed) {
            List<String> ignored = new ArrayList<>(requested.ignoreHosts());
            ignored.add(source.host());
            spec.ignoreHosts(ignored);
        }
        return spec.build();
    }

    /**
     * Returns the requested destination, restricted to the source's cell; unchanged if that cell is unknown. A resize
     * or cold migration that the client lets cross cells gets the cell only as a preference, and no cell if the client
     * names a host. An unshelve for which the client names a host or zone keeps its destination. Null if the client
     * requests none and no cell is set.
     */
    private static @Nullable RequestedDestination destination(
            MoveKind kind, RequestSpec requested, @Nullable SourceHost source) {
        RequestedDestination requestedTarget = requested.requestedDestination();
        String cell = source == null ? null : source.cellUuid();
        if (cell == null) {
            return requestedTarget;
        }
        boolean hostNamed = requestedTarget != null && requestedTarget.host() != null;
        boolean mayCross = requestedTarget != null && requestedTarget.allowCrossCellMove();
        return switch (kind) {
            case RESIZE, COLD -> withCell(requestedTarget, hostNamed && mayCross ? null : cell, mayCross);
            case LIVE, EVACUATE -> withCell(requestedTarget, cell, false);
            case UNSHELVE -> hostNamed || requested.availabilityZone() != null
                    ? requestedTarget
                    : withCell(requestedTarget, cell, false);
        };
    }

    private static RequestedDestination withCell(
            @Nullable RequestedDestination requestedTarget, @Nullable String cell, boolean mayCross) {
        return requestedTarget == null
                ? new RequestedDestination(null, null, cell, mayCross)
                : requestedTarget.in(cell, mayCross);
    }
}
