package io.berth.placement.candidate.scenario;

import io.berth.context.Recurring;
import io.berth.placement.candidate.answer.AfterParameter;
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
 * Keeps the fleet views of past responses, for clients that need several queries on the same fleet. A view is
 * identified by replica and version, and only its own replica keeps it. Views are bounded in time, in number ({@value
 * #COUNT_MAX}) and in bytes; at a limit the least recently used view is dropped. Thread-safe.
 */
@Singleton
final class KeptViews {
    static final int COUNT_MAX = 32;
    private static final int HEAP_PART = 8;
    private static final Duration FORGET_EVERY = Duration.ofSeconds(5);

    private final long bytesMax;
    private final LongSupplier clock;
    /** The kept views by version, the most recently used last. Guarded by itself. */
    private final LinkedHashMap<Long, Kept> views = new LinkedHashMap<>(COUNT_MAX, 0.75f, true);
    /** The latest view passed to keep or forget. Guarded by {@link #views}. */
    private FleetView present = FleetView.empty();

    @Inject
    KeptViews() {
        this(Runtime.getRuntime().maxMemory() / HEAP_PART, System::nanoTime);
    }

    /**
     * @param bytesMax limit of the memory that all kept views take in addition to the present view
     * @param clock in nanoseconds
     */
    KeptViews(long bytesMax, LongSupplier clock) {
        this.bytesMax = bytesMax;
        this.clock = clock;
    }

    /**
     * A view and its time.
     *
     * @param time a time at which the view was the present one
     */
    record Dated(FleetView view, Instant time) {}

    private record Kept(Dated of, long untilNanos) {}

    /** Expires views regularly, so that a replica without further requests does not hold old views. */
    void start(@Observes StartupEvent event, Recurring recurring, FleetFeed feed) {
        recurring.every(FORGET_EVERY, () -> forget(feed), "views kept for questions not forgotten");
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
     * Keeps a view for the duration.
     *
     * @param duration zero: it is not kept
     * @return the kept view; if this version was kept before, the object of that time
     */
    Dated keep(Dated of, Duration duration) {
        if (duration.isZero()) {
            return of;
        }
        synchronized (views) {
            Kept known = views.get(of.view().version());
            Dated kept = known == null ? of : known.of();
            put(kept, known, duration);
            forget(of.view());
            return kept;
        }
    }

    /**
     * Returns the view of that name, and keeps it for at least the given duration from now on.
     *
     * @throws ApiException 409 if this replica does not keep it
     */
    Dated get(AfterParameter.Seen name, Duration duration) {
        synchronized (views) {
            // The sizes are unchanged: no view was added, and the present view is the same.
            dropExpired();
            Kept kept = views.get(name.version());
            if (kept != null && kept.of().view().lineage().equals(name.lineage())) {
                put(kept.of(), kept, duration);
                return kept.of();
            }
            throw present.lineage().equals(name.lineage())
                    ? new ApiException(409, ErrorCode.VIEW_GONE, "view: it is not kept any more")
                    : new ApiException(409, ErrorCode.VIEW_ELSEWHERE, "view: another replica keeps it");
        }
    }

    private void put(Dated of, @Nullable Kept known, Duration duration) {
        long until = clock.getAsLong() + duration.toNanos();
        views.put(of.view().version(), new Kept(
                of, known == null || known.untilNanos() - until < 0 ? until : known.untilNanos()));
    }

    private void dropExpired() {
        long nanos = clock.getAsLong();
        views.values().removeIf(kept -> kept.untilNanos() - nanos < 0);
    }

    /**
     * Drops expired views, and then the least recently used ones until the limits hold.
     *
     * @param now the present view
     */
    void forget(FleetView now) {
        synchronized (views) {
            present = now;
            dropExpired();
            long bytes = views.values().stream().mapToLong(kept -> kept.of().view().bytesBeside(now)).sum();
            Iterator<Kept> oldest = views.values().iterator();
            while (views.size() > COUNT_MAX || bytes > bytesMax) {
                bytes -= oldest.next().of().view().bytesBeside(now);
                oldest.remove();
            }
        }
    }
}
