package io.berth.scheduler.record;

import jakarta.annotation.Nullable;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.UUID;

/**
 * The data that one statement writes for several records. Bodies, considered hosts and requests follow each other in
 * one value, because similar texts compress well together.
 *
 * @param id id of the first record, which identifies the batch
 * @param hostHashes hashes of hosts, see {@link OfferedHosts.BatchHashes}
 * @param content for each record the bytes of its body, considered hosts and request
 * @param parts the position of each record in the content, in the order of the records
 */
record RecordBatch(UUID id, byte[] hostHashes, byte[] content, List<Part> parts) {
    /**
     * The position of one record in the content, in bytes.
     *
     * @param start position of its body, from 1 as in SQL; its considered hosts and its request follow without a gap
     * @param body length of the body
     * @param offered length of the considered hosts; null if they are unknown
     * @param request length of the request; null if there is none
     */
    record Part(int start, int body, @Nullable Integer offered, @Nullable Integer request) {}

    /** @param rows at least one */
    static RecordBatch of(List<DecisionRow> rows) {
        var names = new OfferedHosts.BatchHashes();
        var content = new ByteArrayOutputStream(rows.stream().mapToInt(DecisionRow::size).sum());
        List<Part> parts = rows.stream().map(row -> {
            int start = 1 + content.size();
            content.writeBytes(row.body());
            byte[] offered = row.offered() == null ? null : names.addHosts(row.offered());
            return new Part(start, row.body().length, append(offered, content), append(row.request(), content));
        }).toList();
        return new RecordBatch(rows.getFirst().id(), names.toByteArray(), content.toByteArray(), parts);
    }

    /** Appends bytes and returns their number; null for null. */
    private static @Nullable Integer append(@Nullable byte[] bytes, ByteArrayOutputStream content) {
        if (bytes == null) {
            return null;
        }
        content.writeBytes(bytes);
        return bytes.length;
    }
}
