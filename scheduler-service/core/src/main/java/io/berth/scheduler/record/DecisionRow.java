package io.berth.scheduler.record;

import jakarta.annotation.Nullable;
import java.util.List;
import java.util.UUID;

/**
 * One record as the table stores it.
 *
 * @param name the name of its only instance, or the common beginning of several names
 * @param hosts the selected hosts
 * @param request as the client sent it; null if it was too large, or there is none
 * @param body see {@link RecordBody}
 * @param offered null if no host was considered, or too many
 */
record DecisionRow(
        UUID id,
        String kind,
        String result,
        @Nullable String project,
        @Nullable String flavor,
        @Nullable String name,
        List<UUID> instances,
        List<String> hosts,
        @Nullable byte[] request,
        byte[] body,
        @Nullable OfferedHosts offered) {
    private static final int OBJECTS = 400;
    private static final int PER_INSTANCE = 48;

    /** Returns the estimated bytes in memory, without the offered hosts, which other records may share. */
    int size() {
        return OBJECTS + PER_INSTANCE * (instances.size() + hosts.size()) + bytes(project) + bytes(flavor) + bytes(name) + body.length
                + (request == null ? 0 : request.length);
    }

    private static int bytes(@Nullable String text) {
        return text == null ? 0 : Character.BYTES * text.length();
    }

    DecisionRow withOffered(OfferedHosts same) {
        return new DecisionRow(id, kind, result, project, flavor, name, instances, hosts, request, body, same);
    }
}
