package io.berth.scheduler.move;

import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.RequestedDestination;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Changes the request spec for a move before it is scheduled: sets the one instance, the hosts to ignore and the cell,
 * and removes forced hosts. Pure.
 * <br>Source: nova {@code conductor/tasks/migrate.py}, {@code conductor/tasks/live_migrate.py},
 * {@code conductor/manager.py}.
 */
public final class MoveSpec {
    private MoveSpec() {}

    /**
     * Returns the spec to schedule.
     *
     * @param source null if the last host of a shelved instance is unknown
     * @param sameHostAllowed whether the source may be selected again; if not, it is ignored
     */
    public static RequestSpec of(
            MoveKind kind, UUID instance, RequestSpec asked, @Nullable SourceHost source, boolean sameHostAllowed) {
        RequestSpec.Builder spec = asked.toBuilder()
                .instanceUuid(instance.toString())
                .instanceUuids(List.of(instance.toString()))
                .numInstances(1)
                .requestedDestination(destination(kind, asked, source))
                // Forced hosts were meant for the first placement of the instance. A target that the client names
                // for this move is in requestedDestination.
                .forceHosts(List.of())
                .forceNodes(List.of());
        if (kind.leavesSource() && source != null && !sameHostAllowed) {
            List<String> ignored = new ArrayList<>(asked.ignoreHosts());
            ignored.add(source.host());
            spec.ignoreHosts(ignored);
        }
        return spec.build();
    }

    /**
     * Adds the source's cell to the requested destination: as a restriction, or only as a preference if the move may
     * cross cells. Adds none if the move may cross cells to a host that the client names, nor to an unshelving with a
     * named host or zone.
     */
    private static @Nullable RequestedDestination destination(
            MoveKind kind, RequestSpec asked, @Nullable SourceHost source) {
        RequestedDestination given = asked.requestedDestination();
        String cell = source == null ? null : source.cellUuid();
        if (cell == null) {
            return given;
        }
        boolean hostNamed = given != null && given.host() != null;
        boolean mayCross = given != null && given.allowCrossCellMove();
        return switch (kind) {
            case RESIZE, COLD -> in(given, hostNamed && mayCross ? null : cell, mayCross);
            case LIVE, EVACUATE -> in(given, cell, false);
            case UNSHELVE -> hostNamed || asked.availabilityZone() != null ? given : in(given, cell, false);
        };
    }

    private static RequestedDestination in(
            @Nullable RequestedDestination given, @Nullable String cell, boolean mayCross) {
        return given == null
                ? new RequestedDestination(null, null, cell, mayCross)
                : given.in(cell, mayCross);
    }
}
