package io.berth.scheduler.record;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.UUID;

/**
 * The data that one statement writes for some records: bodies, offered hosts and requests in sequence, since similar
 * texts compress well as one value.
 *
 * @param id of the first record
 * @param names see {@link OfferedHosts.Names}
 * @param parts the positions of each record, in the order of the records
 */
record RecordBatch(UUID id, byte[] names, byte[] content, List<Part> parts) {
    /**
     * The position of one record's body, from 1, and its length, followed by the lengths of its offered hosts and its
     * request.
     *
     * @param offered null if they are unknown
     * @param request null if there is none
     */
    record Part(int start, int body, Integer offered, Integer request) {}

    /** @param rows at least one */
    static RecordBatch of(List<DecisionRow> rows) {
        var names = new OfferedHosts.Names();
        var content = new ByteArrayOutputStream(rows.stream().mapToInt(DecisionRow::size).sum());
        List<Part> parts = rows.stream().map(row -> {
            int start = 1 + content.size();
            content.writeBytes(row.body());
            byte[] offered = row.offered() == null ? null : names.bits(row.offered());
            return new Part(start, row.body().length, written(offered, content), written(row.request(), content));
        }).toList();
        return new RecordBatch(rows.getFirst().id(), names.toByteArray(), content.toByteArray(), parts);
    }

    private static Integer written(byte[] bytes, ByteArrayOutputStream content) {
        if (bytes == null) {
            return null;
        }
        content.writeBytes(bytes);
        return bytes.length;
    }
}
