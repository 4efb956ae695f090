package io.berth.placement.audit;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/**
 * An inconsistency in the tables.
 *
 * @param id derived from kind and detail: it stays the same as long as the finding does
 * @param subject the consumer or the aggregate; null if there is none
 * @param providers ids of the providers that healing locks, including those that are gone
 * @param objectId id of the resource class, of the trait, or of the right root; 0 if there is none
 * @param detail the JSON object that the client gets
 */
record Finding(FindingKind kind, String id, UUID subject, List<Long> providers, long objectId, String detail) {
    private static final int ID_BYTES = 12;

    Finding {
        providers = List.copyOf(providers);
    }

    static Finding of(FindingKind kind, UUID subject, List<Long> providers, long objectId, String detail) {
        return new Finding(kind, id(kind.wire() + ' ' + detail), subject, providers, objectId, detail);
    }

    private static String id(String text) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, ID_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
