package io.berth.identity.memory;

import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.util.Iterator;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Caches the results of validating credentials, and shares a running validation between concurrent requests with the
 * same credential. Each result has its own lifetime; the number of results is limited. Thread-safe.
 *
 * <p>Valid and invalid credentials have separate limits, so that guessed credentials cannot evict valid ones.
 *
 * @param <T> the cached value; immutable
 */
public final class CredentialMemory<T> {
    /** Maximum number of cached results of invalid credentials. */
    private static final int INVALID_MAX = 10_000;

    /**
     * The result of validating a credential.
     *
     * @param isValid whether the credential is valid
     * @param cacheNanos time for which the value is cached, in nanoseconds; if zero or less, the value is not cached,
     *         and a cached valid result of the credential is removed
     */
    public record Finding<T>(T value, boolean isValid, long cacheNanos) {}

    /** @param untilNanos time of the clock at which the value expires */
    private record CachedValue<T>(T value, long untilNanos) {}

    private final CredentialDigest digest;
    private final LongSupplier nanos;
    private final int validMax;
    private final ConcurrentHashMap<CredentialKey, CachedValue<T>> validResults = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<CredentialKey, CachedValue<T>> invalidResults = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<CredentialKey, Uni<T>> runningValidations = new ConcurrentHashMap<>();

    /**
     * @param charsMax maximum length of a credential in characters; the methods throw IllegalArgumentException for a
     *         longer one
     * @param validMax maximum number of cached results of valid credentials, at least 1
     * @param nanos a clock like {@link System#nanoTime}
     */
    public CredentialMemory(int charsMax, int validMax, LongSupplier nanos) {
        this.digest = new CredentialDigest(charsMax);
        this.validMax = validMax;
        this.nanos = nanos;
    }

    /**
     * Returns the cached value of a valid or invalid credential; null if none is cached or it has expired. Allocates
     * nothing.
     */
    public @Nullable T recall(String credential) {
        CredentialKey key = digest.of(credential);
        CachedValue<T> cached = validResults.get(key);
        if (cached == null) {
            cached = invalidResults.get(key);
        }
        return cached == null || nanos.getAsLong() - cached.untilNanos() >= 0 ? null : cached.value();
    }

    /**
     * Returns whether a valid result of the credential is in the cache, expired or not. An expired result stays until
     * it is replaced, removed by another result, or dropped to make room.
     */
    public boolean wasValid(String credential) {
        return validResults.containsKey(digest.of(credential));
    }

    /**
     * Validates the credential and caches the result. If another request is validating the same credential, shares its
     * result or failure.
     *
     * @param validator called with the credential, at most once per call of this method
     */
    public Uni<T> validate(String credential, Function<String, Uni<Finding<T>>> validator) {
        CredentialKey key = digest.of(credential).copy();
        return runningValidations.computeIfAbsent(key, asked -> Uni.createFrom()
                .deferred(() -> validator.apply(credential))
                .map(finding -> remember(key, finding))
                .onTermination().invoke(() -> runningValidations.remove(key))
                .memoize().indefinitely());
    }

    /**
     * Caches the result if it has a positive lifetime; otherwise removes a cached valid result of the credential.
     * Returns the value of the result.
     */
    private T remember(CredentialKey key, Finding<T> finding) {
        if (finding.cacheNanos() > 0) {
            CachedValue<T> cached = new CachedValue<>(finding.value(), nanos.getAsLong() + finding.cacheNanos());
            if (finding.isValid()) {
                invalidResults.remove(key);
                put(validResults, validMax, key, cached);
            } else {
                validResults.remove(key);
                put(invalidResults, INVALID_MAX, key, cached);
            }
        } else {
            validResults.remove(key);
        }
        return finding.value();
    }

    private void put(
            ConcurrentHashMap<CredentialKey, CachedValue<T>> map, int entriesMax, CredentialKey key,
            CachedValue<T> cached) {
        if (map.size() >= entriesMax && !map.containsKey(key)) {
            makeRoom(map, entriesMax);
        }
        map.put(key, cached);
    }

    /**
     * Drops expired entries. If the map is still full, drops an eighth of the entries, in no order, so that the next
     * insertions need not drop any.
     */
    private void makeRoom(ConcurrentHashMap<CredentialKey, CachedValue<T>> map, int entriesMax) {
        long now = nanos.getAsLong();
        map.values().removeIf(cached -> now - cached.untilNanos() >= 0);
        if (map.size() < entriesMax) {
            return;
        }
        Iterator<CredentialKey> keys = map.keySet().iterator();
        for (int surplus = map.size() - entriesMax + 1 + entriesMax / 8; surplus > 0 && keys.hasNext(); surplus--) {
            keys.next();
            keys.remove();
        }
    }

    int size() {
        return validResults.size() + invalidResults.size();
    }
}
