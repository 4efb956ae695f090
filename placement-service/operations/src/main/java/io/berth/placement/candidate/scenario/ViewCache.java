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
 * Keeps the fleet views (immutable snapshots of all providers) of earlier responses in memory, for clients that need
 * several queries on the same fleet. A view is identified by replica and version; no other replica has the view. A view
 * is dropped when its time is up. The views are also bounded in number ({@value #COUNT_MAX}) and in bytes; beyond these
 * limits, the least recently used views are dropped. Thread-safe.
 */
@Singleton
final class ViewCache {
    static final int COUNT_MAX = 32;
    /** The divisor of the heap size: the kept views together may take 1/{@value} of the heap. */
    private static final int HEAP_DIVISOR = 8;
    /** The interval at which expired views are dropped. */
    private static final Duration DROP_INTERVAL = Duration.ofSeconds(5);

    private final long bytesMax;
    private final LongSupplier clock;
    /** The kept views by version, the most recently used last. Access is synchronized on this map. */
    private final LinkedHashMap<Long, Entry> views = new LinkedHashMap<>(COUNT_MAX, 0.75f, true);
    /**
     * The view that was last passed to {@link #dropExcess(FleetView)}. Access is synchronized on {@link #views}.
     */
    private FleetView present = FleetView.empty();

    @Inject
    ViewCache() {
        this(Runtime.getRuntime().maxMemory() / HEAP_DIVISOR, System::nanoTime);
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
     * A view with the time of its fleet.
     *
     * @param time a time at which the view showed every commit
     */
    record DatedView(FleetView view, Instant time) {}

    private record Entry(DatedView datedView, long untilNanos) {}

    /** Drops expired views at regular intervals, so that old views are freed without further requests. */
    void start(@Observes StartupEvent event, Recurring recurring, FleetFeed feed) {
        recurring.every(DROP_INTERVAL, () -> dropExcess(feed), "expired views not dropped");
    }

    private Uni<Void> dropExcess(FleetFeed feed) {
        return isEmpty()
                ? Uni.createFrom().voidItem()
                : feed.fresh().invoke(this::dropExcess).replaceWithVoid().onFailure().recoverWithNull();
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
     * @return {@code datedView}, or the object that is already kept for its version
     */
    DatedView keep(DatedView datedView, Duration duration) {
        if (duration.isZero()) {
            return datedView;
        }
        synchronized (views) {
            Entry existing = views.get(datedView.view().version());
            DatedView kept = existing == null ? datedView : existing.datedView();
            put(kept, existing, duration);
            dropExcess(datedView.view());
            return kept;
        }
    }

    /**
     * Returns the view with this replica and version, and extends its time to at least {@code duration} from now.
     *
     * @param position the replica and the version of the view
     * @throws ApiException 409 if this replica no longer keeps the view, or if another replica created the view
     */
    DatedView get(AfterParameter.Seen position, Duration duration) {
        synchronized (views) {
            // The limits of number and bytes need no check here: no view was added, and the present view has not
            // changed.
            dropExpired();
            Entry kept = views.get(position.version());
            if (kept != null && kept.datedView().view().lineage().equals(position.lineage())) {
                put(kept.datedView(), kept, duration);
                return kept.datedView();
            }
            throw present.lineage().equals(position.lineage())
                    ? new ApiException(409, ErrorCode.VIEW_GONE,
                            "view: this replica no longer keeps it; omit view for the present fleet")
                    : new ApiException(409, ErrorCode.VIEW_ELSEWHERE,
                            "view: another replica keeps it; send the request to that replica");
        }
    }

    private void put(DatedView datedView, @Nullable Entry existing, Duration duration) {
        long until = clock.getAsLong() + duration.toNanos();
        views.put(datedView.view().version(), new Entry(
                datedView, existing == null || existing.untilNanos() - until < 0 ? until : existing.untilNanos()));
    }

    private void dropExpired() {
        long nanos = clock.getAsLong();
        views.values().removeIf(kept -> kept.untilNanos() - nanos < 0);
    }

    /**
     * Drops expired views, and then the least recently used views until the remaining views are within the limits.
     *
     * @param currentView the present view
     */
    void dropExcess(FleetView currentView) {
        synchronized (views) {
            present = currentView;
            dropExpired();
            long bytes =
                    views.values().stream().mapToLong(kept -> kept.datedView().view().bytesInAdditionTo(currentView))
                            .sum();
            Iterator<Entry> oldest = views.values().iterator();
            while (views.size() > COUNT_MAX || bytes > bytesMax) {
                bytes -= oldest.next().datedView().view().bytesInAdditionTo(currentView);
                oldest.remove();
            }
        }
    }
}
