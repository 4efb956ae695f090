package io.berth.placement.audit;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/**
 * Something that should not be.
 *
 * @param id of kind and detail: as long as nothing about the finding changes, its id stays
 * @param subject the consumer or the aggregate; null where neither is meant
 * @param providers ids of the providers that healing locks, those that are gone among them
 * @param objectId of the resource class or trait; 0 where neither is meant
 * @param detail what the caller is shown: a JSON object
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
