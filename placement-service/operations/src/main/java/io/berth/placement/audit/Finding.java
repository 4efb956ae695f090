package io.berth.placement.audit;

import jakarta.annotation.Nullable;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/**
 * An inconsistency in the tables, or between the tables and the fleet in memory.
 *
 * @param id 24 hexadecimal digits of a hash of kind and detail; equal findings of later audits have the same id
 * @param subject uuid of the consumer or the aggregate; null if the finding is about neither
 * @param providers ids of the providers to lock before healing; empty if the finding is about none. A provider may not
 *         exist
 * @param objectId id of the resource class, of the trait, or of the root that is correct; 0 for other kinds
 * @param detail the JSON object that describes the finding in the response
 */
record Finding(
        FindingKind kind, String id, @Nullable UUID subject, List<Long> providers, long objectId, String detail) {
    private static final int ID_BYTES = 12;

    Finding {
        providers = List.copyOf(providers);
    }

    static Finding of(FindingKind kind, @Nullable UUID subject, List<Long> providers, long objectId, String detail) {
        return new Finding(kind, id(kind.wireName() + ' ' + detail), subject, providers, objectId, detail);
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
