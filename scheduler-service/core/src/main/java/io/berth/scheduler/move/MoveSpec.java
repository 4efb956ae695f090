package io.berth.scheduler.move;

import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.RequestedDestination;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * What a move changes in a request before it is scheduled: the one instance, hosts to ignore, no forced hosts, the cell.
 * Pure.
 * <br>Source: nova {@code conductor/tasks/migrate.py}, {@code conductor/tasks/live_migrate.py},
 * {@code conductor/manager.py}.
 */
public final class MoveSpec {
    private MoveSpec() {}

    /**
     * @param source null where none is known, as for a shelved instance
     * @param sameHostAllowed whether the instance may stay where it is
     */
    public static RequestSpec of(
            MoveKind kind, UUID instance, RequestSpec asked, @Nullable SourceHost source, boolean sameHostAllowed) {
        RequestSpec.Builder spec = asked.toBuilder()
                .instanceUuid(instance.toString())
                .instanceUuids(List.of(instance.toString()))
                .numInstances(1)
                .requestedDestination(destination(kind, asked, source))
                // Those of the boot. Where it is to go now, the destination says.
                .forceHosts(List.of())
                .forceNodes(List.of());
        if (kind.leavesSource() && source != null && !sameHostAllowed) {
            List<String> ignored = new ArrayList<>(asked.ignoreHosts());
            ignored.add(source.host());
            spec.ignoreHosts(ignored);
        }
        return spec.build();
    }

    /** The source's cell: as a preference where the move may cross cells, as a restriction where not. */
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
