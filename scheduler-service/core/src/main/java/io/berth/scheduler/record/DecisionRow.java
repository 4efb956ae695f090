package io.berth.scheduler.record;

import jakarta.annotation.Nullable;
import java.util.List;
import java.util.UUID;

/**
 * One decision record, as the table stores it. A row that was read for a list has neither request nor considered hosts,
 * and only the beginning of its body.
 *
 * @param kind wire name of {@link io.berth.scheduler.trace.DecisionTrace.Kind}
 * @param result wire name of {@link DecisionOutcome.Result}
 * @param project id of the project; null if unknown
 * @param flavor name of the flavor; null if unknown
 * @param name name of the only instance, or the common beginning of the names of several; null if unknown
 * @param hosts the selected hosts, each once
 * @param request request body as the client sent it, JSON; null if it was too large, or there is none
 * @param body see {@link RecordBody}
 * @param offered the considered hosts; null if no host was considered, or too many
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
    /** Estimated bytes of the objects of a record without its texts. */
    private static final int BASE_BYTES = 400;
    /** Estimated bytes per instance uuid or host name. */
    private static final int BYTES_PER_NAME = 48;

    /** Returns the estimated bytes in memory, without the considered hosts, which records share. */
    int size() {
        return BASE_BYTES + BYTES_PER_NAME * (instances.size() + hosts.size())
                + bytes(project) + bytes(flavor) + bytes(name)
                + body.length
                + (request == null ? 0 : request.length);
    }

    private static int bytes(@Nullable String text) {
        return text == null ? 0 : Character.BYTES * text.length();
    }

    /** Returns this row with an equal {@link OfferedHosts}, so that rows share one object. */
    DecisionRow withOffered(OfferedHosts shared) {
        return new DecisionRow(id, kind, result, project, flavor, name, instances, hosts, request, body, shared);
    }
}
