package io.berth.placement.candidate.scenario;

import io.berth.context.Recurring;
import io.berth.placement.candidate.response.AfterParameter;
import io.berth.placement.fleet.FleetFeed;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.http.ApiException;
import io.berth.placement.http.ErrorCode;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.function.LongSupplier;

/**
 * Keeps the fleet views of earlier responses in memory, for clients that need several queries on the same fleet. A view
 * is identified by replica and version; no other replica can serve it. The views are bounded in time, in number
 * ({@value #COUNT_MAX}) and in bytes; beyond a limit, the least recently used view is dropped. Thread-safe.
 */
@Singleton
final class ViewCache {
    static final int COUNT_MAX = 32;
    /** The kept views together may take this fraction of the heap: 1/{@value}. */
    private static final int HEAP_PART = 8;
    /** The interval at which expired views are dropped. */
    private static final Duration FORGET_EVERY = Duration.ofSeconds(5);

    private final long bytesMax;
    private final LongSupplier clock;
    /** The kept views by version, the most recently used last. Access is synchronized on this map. */
    private final LinkedHashMap<Long, Entry> views = new LinkedHashMap<>(COUNT_MAX, 0.75f, true);
    /** The latest view that was passed to {@code keep} or {@code forget}. Access is synchronized on {@link #views}. */
    private FleetView present = FleetView.empty();

    @Inject
    ViewCache() {
        this(Runtime.getRuntime().maxMemory() / HEAP_PART, System::nanoTime);
    }

    /**
     * @param bytesMax limit of the memory, in bytes, that all kept views take in addition to the present view
     * @param clock monotonic time in nanoseconds
     */
    ViewCache(long bytesMax, LongSupplier clock) {
        this.bytesMax = bytesMax;
        this.clock = clock;
    }

    /**
     * A view, and when it was fresh.
     *
     * @param time a time at which the view showed every commit
     */
    record DatedView(FleetView view, Instant time) {}

    private record Entry(DatedView of, long untilNanos) {}

    /** Drops expired views at regular intervals, so that old views are freed without further requests. */
    void start(@Observes StartupEvent event, Recurring recurring, FleetFeed feed) {
        recurring.every(FORGET_EVERY, () -> forget(feed), "expired views not dropped");
    }

    private Uni<Void> forget(FleetFeed feed) {
        return isEmpty()
                ? Uni.createFrom().voidItem()
                : feed.fresh().invoke(this::forget).replaceWithVoid().onFailure().recoverWithNull();
    }

    private boolean isEmpty() {
        synchronized (views) {
            return views.isEmpty();
        }
    }

    /**
     * Keeps a view for at least {@code duration}, unless a limit is exceeded.
     *
     * @param duration zero if the view is not to be kept
     * @return {@code of}, or the object that is kept for the same version already
     */
    DatedView keep(DatedView of, Duration duration) {
        if (duration.isZero()) {
            return of;
        }
        synchronized (views) {
            Entry known = views.get(of.view().version());
            DatedView kept = known == null ? of : known.of();
            put(kept, known, duration);
            forget(of.view());
            return kept;
        }
    }

    /**
     * Returns the view with this replica and version, and extends its time to at least {@code duration} from now.
     *
     * @throws ApiException 409 if this replica does not keep the view (any more), or another replica created it
     */
    DatedView get(AfterParameter.Seen name, Duration duration) {
        synchronized (views) {
            // The limits of number and bytes need no check here: no view was added, and {@code present} is the same.
            dropExpired();
            Entry kept = views.get(name.version());
            if (kept != null && kept.of().view().lineage().equals(name.lineage())) {
                put(kept.of(), kept, duration);
                return kept.of();
            }
            throw present.lineage().equals(name.lineage())
                    ? new ApiException(409, ErrorCode.VIEW_GONE, "view: it is not kept any more")
                    : new ApiException(409, ErrorCode.VIEW_ELSEWHERE, "view: another replica keeps it");
        }
    }

    private void put(DatedView of, @Nullable Entry known, Duration duration) {
        long until = clock.getAsLong() + duration.toNanos();
        views.put(of.view().version(), new Entry(
                of, known == null || known.untilNanos() - until < 0 ? until : known.untilNanos()));
    }

    private void dropExpired() {
        long nanos = clock.getAsLong();
        views.values().removeIf(kept -> kept.untilNanos() - nanos < 0);
    }

    /**
     * Drops expired views, and then the least recently used views until the others are within the limits.
     *
     * @param now the present view
     */
    void forget(FleetView now) {
        synchronized (views) {
            present = now;
            dropExpired();
            long bytes = views.values().stream().mapToLong(kept -> kept.of().view().bytesBeside(now)).sum();
            Iterator<Entry> oldest = views.values().iterator();
            while (views.size() > COUNT_MAX || bytes > bytesMax) {
                bytes -= oldest.next().of().view().bytesBeside(now);
                oldest.remove();
            }
        }
    }
}
