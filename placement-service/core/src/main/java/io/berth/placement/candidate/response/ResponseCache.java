package io.berth.placement.candidate.response;

import io.berth.placement.candidate.query.ParsedQueryCache.QueryKey;
import io.berth.placement.fleet.FleetView;
import jakarta.annotation.Nullable;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;

/**
 * Caches the responses that were computed on the present view: the same query on the same view has the same response.
 * The caller brings the view up to date before each look-up, as before a search. A change of the fleet drops all
 * entries. The cache is bounded in bytes. Thread-safe.
 *
 * <p>The cache raises the rate of queries for ten candidates on 5,000 idle hosts by a factor of 1.7 (from 24,418 to
 * 42,353 a second). While claims are made, the cache has no effect, because each claim changes the fleet. Berth's
 * scheduler calls another route ({@link CandidateReferencesEndpoint}), which has no cache.
 */
@Singleton
final class ResponseCache {
    /**
     * The limit of bytes of all entries, if it is less than 1/32 of the heap; otherwise the limit is 1/32 of the heap.
     */
    private static final long BYTES_MAX = 16L << 20;
    /** The approximate bytes of an entry besides its response and its query. */
    private static final int ENTRY_BYTES = 200;

    private final long bytesMax;
    private final Map<QueryKey, byte[]> byKey = new HashMap<>();
    /**
     * The view that all entries were computed on. The reference is weak, so that the cache does not keep a replaced
     * view in memory.
     */
    private WeakReference<FleetView> cachedView = new WeakReference<>(null);
    private long bytes;

    @Inject
    ResponseCache() {
        this(Math.min(BYTES_MAX, Runtime.getRuntime().maxMemory() / 32));
    }

    ResponseCache(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Returns the response; null if it is not cached for this view. */
    synchronized @Nullable byte[] find(FleetView view, QueryKey key) {
        return cachedView.refersTo(view) ? byKey.get(key) : null;
    }

    /**
     * Drops all entries of another view, then caches the response if it fits within the limit and takes at most an
     * eighth of it.
     */
    synchronized void remember(FleetView view, QueryKey key, JsonBytes json) {
        if (!cachedView.refersTo(view)) {
            byKey.clear();
            bytes = 0;
            cachedView = new WeakReference<>(view);
        }
        long size = json.length() + 2L * key.text().length() + ENTRY_BYTES;
        // A few responses of more than an eighth of the limit would leave no room for many small ones.
        if (size <= bytesMax / 8 && bytes + size <= bytesMax && !byKey.containsKey(key)) {
            byKey.put(key, json.toByteArray());
            bytes += size;
        }
    }
}
