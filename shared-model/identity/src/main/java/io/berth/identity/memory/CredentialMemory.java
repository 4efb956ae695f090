package io.berth.identity.memory;

import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Caches findings about credentials, each for a given time, up to a limit; and shares running validations between
 * concurrent requests with one credential.
 *
 * <p>Good and bad findings have separate limits, so that guesses cannot evict good findings.
 *
 * @param <T> a finding; immutable
 */
public final class CredentialMemory<T> {
    private static final int BAD_MAX = 10_000;

    /**
     * The result of validating a credential.
     *
     * @param good whether the credential is valid
     * @param goodForNanos how long the finding is cached, in nanoseconds; zero or less: not at all
     */
    public record Finding<T>(T value, boolean good, long goodForNanos) {}

    private record Kept<T>(T value, long untilNanos) {}

    private final CredentialDigest digest;
    private final LongSupplier nanos;
    private final int goodMax;
    private final ConcurrentHashMap<CredentialKey, Kept<T>> good = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<CredentialKey, Kept<T>> bad = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<CredentialKey, Uni<T>> underWay = new ConcurrentHashMap<>();

    /**
     * @param charsMax limit of a credential's length
     * @param goodMax limit of good findings that are kept, at least 1
     * @param nanos a clock like {@link System#nanoTime}
     */
    public CredentialMemory(int charsMax, int goodMax, LongSupplier nanos) {
        this.digest = new CredentialDigest(charsMax);
        this.goodMax = goodMax;
        this.nanos = nanos;
    }

    /** Returns null if nothing is cached, or it has expired. Allocates nothing. */
    public @Nullable T recall(String credential) {
        CredentialKey key = digest.of(credential);
        Kept<T> kept = good.get(key);
        if (kept == null) {
            kept = bad.get(key);
        }
        return kept == null || nanos.getAsLong() - kept.untilNanos() >= 0 ? null : kept.value();
    }

    /**
     * Returns whether the credential was valid at its last validation, however long ago, unless its entry was evicted.
     */
    public boolean wasGood(String credential) {
        return good.containsKey(digest.of(credential));
    }

    /**
     * Validates the credential, unless another request is doing so, and caches the finding.
     *
     * @param question validates; subscribed to at most once per call of this method
     */
    public Uni<T> ask(String credential, Function<String, Uni<Finding<T>>> question) {
        CredentialKey key = digest.of(credential).copy();
        return underWay.computeIfAbsent(key, asked -> Uni.createFrom()
                .deferred(() -> question.apply(credential))
                .map(finding -> remembered(key, finding))
                .onTermination().invoke(() -> underWay.remove(key))
                .memoize().indefinitely());
    }

    private T remembered(CredentialKey key, Finding<T> finding) {
        if (finding.goodForNanos() > 0) {
            Kept<T> kept = new Kept<>(finding.value(), nanos.getAsLong() + finding.goodForNanos());
            if (finding.good()) {
                bad.remove(key);
                put(good, goodMax, key, kept);
            } else {
                good.remove(key);
                put(bad, BAD_MAX, key, kept);
            }
        } else {
            good.remove(key);
        }
        return finding.value();
    }

    private void put(ConcurrentHashMap<CredentialKey, Kept<T>> map, int max, CredentialKey key, Kept<T> kept) {
        if (map.size() >= max && !map.containsKey(key)) {
            makeRoom(map, max);
        }
        map.put(key, kept);
    }

    /** Drops expired entries; if that is not enough, an eighth more, so that the next ones find room, too. */
    private void makeRoom(ConcurrentHashMap<CredentialKey, Kept<T>> map, int max) {
        long now = nanos.getAsLong();
        map.values().removeIf(kept -> now - kept.untilNanos() >= 0);
        if (map.size() < max) {
            return;
        }
        Iterator<CredentialKey> keys = map.keySet().iterator();
        for (int surplus = map.size() - max + 1 + max / 8; surplus > 0 && keys.hasNext(); surplus--) {
            keys.next();
            keys.remove();
        }
    }

    int size() {
        return good.size() + bad.size();
    }
}
