package io.berth.scheduler.requestrecord;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.http.ApiFault;
import jakarta.annotation.Nullable;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The identity of a request, by which its repetitions are recognized.
 *
 * @param key derived from the client's header Idempotency-Key; without the header, from the instances of the request in
 *     any order. Contains the fingerprint, too, for a reschedule, and for a request without the header whose instances
 *     keep their allocations: such requests for the same instances differ only in their bodies
 * @param fingerprint digest of the whole request body, including the order of its instances
 * @param instances the instances of the request, in the order of the response
 * @param keepsAllocations whether the instances keep the allocations that they hold, in addition to those of the claim
 * @param requestId id of the request, for logs and for requests to placement
 */
public record IdempotencyKey(
        String key,
        String fingerprint,
        List<UUID> instances,
        boolean keepsAllocations,
        String requestId) {
    /** Maximum characters of the header. */
    private static final int IDEMPOTENCY_KEY_LENGTH_MAX = 255;

    /**
     * Returns the identity of a request to place instances. Throws ApiFault (400) for a blank or too long
     * Idempotency-Key.
     *
     * @param body as the client sent it; the order of members in its objects does not matter, and members that are null
     *     are ignored
     * @param idempotencyKey the value of the header; null without one
     */
    public static IdempotencyKey toPlace(
            JsonNode body,
            List<UUID> instances,
            boolean keepsAllocations,
            @Nullable String idempotencyKey,
            String requestId) {
        String fingerprint = fingerprint(body);
        return new IdempotencyKey(
                key(instances, keepsAllocations ? fingerprint : null, idempotencyKey),
                fingerprint,
                instances,
                keepsAllocations,
                requestId);
    }

    /** Returns the identity of a reschedule, which releases the host whose build failed and claims an alternate. */
    public static IdempotencyKey toReschedule(JsonNode body, UUID instance, String requestId) {
        String fingerprint = fingerprint(body);
        return new IdempotencyKey("reschedule:" + instance + ":" + fingerprint, fingerprint, List.of(instance), false,
                requestId);
    }

    /**
     * Returns an identity that serves only to find the record that owns an instance: its key and fingerprint are empty.
     */
    public static IdempotencyKey ofInstance(UUID instance, String requestId) {
        return new IdempotencyKey("", "", List.of(instance), false, requestId);
    }

    /**
     * Returns the key of a request to place instances.
     *
     * @param keepingFingerprint fingerprint of a request whose instances keep their allocations; null for any other
     *     request
     */
    private static String key(
            List<UUID> instances, @Nullable String keepingFingerprint, @Nullable String idempotencyKey) {
        if (idempotencyKey != null) {
            if (idempotencyKey.isBlank() || idempotencyKey.length() > IDEMPOTENCY_KEY_LENGTH_MAX) {
                throw ApiFault.invalid(
                        "Idempotency-Key: must be 1 to " + IDEMPOTENCY_KEY_LENGTH_MAX + " characters");
            }
            return "key:" + idempotencyKey;
        }
        String prefix = keepingFingerprint == null ? "" : "beside:" + keepingFingerprint + ":";
        if (instances.size() == 1) {
            return prefix + instances.getFirst();
        }
        MessageDigest digest = sha256();
        instances.stream().map(UUID::toString).sorted()
                .forEach(uuid -> digest.update(uuid.getBytes(StandardCharsets.UTF_8)));
        return prefix + HexFormat.of().formatHex(digest.digest());
    }

    private static String fingerprint(JsonNode body) {
        MessageDigest digest = sha256();
        StringBuilder text = new StringBuilder(1_024);
        render(body, text);
        digest.update(text.toString().getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Renders JSON canonically: members of objects are sorted by name, and members that are null are left out. */
    private static void render(JsonNode node, StringBuilder into) {
        if (node.isObject()) {
            var members = new TreeMap<String, JsonNode>();
            node.properties().forEach(member -> members.put(member.getKey(), member.getValue()));
            into.append('{');
            members.forEach((name, value) -> {
                if (!value.isNull()) {
                    into.append(name.length()).append(name);
                    render(value, into);
                }
            });
            into.append('}');
        } else if (node.isArray()) {
            into.append('[');
            node.forEach(element -> {
                render(element, into);
                into.append(',');
            });
            into.append(']');
        } else {
            into.append(node);
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }
}
