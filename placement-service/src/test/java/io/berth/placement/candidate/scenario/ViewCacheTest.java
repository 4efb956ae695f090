package io.berth.placement.candidate.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.placement.candidate.response.AfterParameter;
import io.berth.placement.candidate.scenario.ViewCache.DatedView;
import io.berth.placement.candidate.search.FleetBuilder;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.http.ApiException;
import io.berth.placement.http.ErrorCode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Tests which views are kept, how long, and which are evicted. */
class ViewCacheTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int HOSTS = 20;

    private final AtomicLong nanos = new AtomicLong();
    private final List<FleetView> fleets = new ArrayList<>();

    /** Returns the next view, which differs from the one before by a change of one host. */
    private FleetView next() {
        if (fleets.isEmpty()) {
            FleetBuilder fleet = FleetBuilder.aFleet();
            for (int i = 0; i < HOSTS; i++) {
                fleet.root("host-" + i).inventory("VCPU", 8);
            }
            fleets.add(fleet.view());
        } else {
            FleetView before = fleets.getLast();
            var host = before.find("host-" + fleets.size() % HOSTS);
            fleets.add(before.with(List.of(host), List.of(), List.of(), List.of()));
        }
        return fleets.getLast();
    }

    private static DatedView at(FleetView view, long second) {
        return new DatedView(view, Instant.ofEpochSecond(second));
    }

    private static AfterParameter.Seen name(FleetView view) {
        return new AfterParameter.Seen(view.lineage(), view.version());
    }

    private static void assertGone(ViewCache kept, FleetView view, ErrorCode why) {
        assertThatThrownBy(() -> kept.get(name(view), MINUTE)).isInstanceOfSatisfying(
                ApiException.class, refused -> assertThat(refused.code()).isEqualTo(why));
    }

    @Test
    void keepsAViewAsLongAsTheLongestRequestedTime() {
        var kept = new ViewCache(1 << 20, nanos::get);
        FleetView view = next();
        assertThat(kept.keep(at(view, 1), MINUTE)).isEqualTo(at(view, 1));
        assertThat(kept.keep(at(view, 2), Duration.ofSeconds(1))).as("time at which the view was kept first")
                .isEqualTo(at(view, 1));
        nanos.addAndGet(MINUTE.toNanos());
        assertThat(kept.get(name(view), MINUTE)).isEqualTo(at(view, 1));
        nanos.addAndGet(MINUTE.toNanos());
        assertThat(kept.get(name(view), Duration.ZERO)).isEqualTo(at(view, 1));
        nanos.incrementAndGet();
        assertGone(kept, view, ErrorCode.VIEW_GONE);
    }

    @Test
    void refusesAViewOfAnotherReplica() {
        var kept = new ViewCache(1 << 20, nanos::get);
        FleetView other = next();
        fleets.clear();
        FleetView own = next();
        kept.keep(at(own, 1), MINUTE);
        assertThat(other.version()).isEqualTo(own.version());
        assertGone(kept, other, ErrorCode.VIEW_ELSEWHERE);
        assertThat(kept.keep(at(next(), 2), Duration.ZERO).view()).isSameAs(fleets.getLast());
        assertGone(kept, fleets.getLast(), ErrorCode.VIEW_GONE);
    }

    @Test
    void evictsTheLeastRecentlyUsedView() {
        var kept = new ViewCache(1 << 30, nanos::get);
        for (int i = 0; i < ViewCache.COUNT_MAX; i++) {
            kept.keep(at(next(), i), MINUTE);
        }
        kept.get(name(fleets.getFirst()), MINUTE);
        kept.keep(at(next(), 99), MINUTE);
        assertGone(kept, fleets.get(1), ErrorCode.VIEW_GONE);
        assertThat(kept.get(name(fleets.getFirst()), MINUTE).view()).isSameAs(fleets.getFirst());
        assertThat(kept.get(name(fleets.get(2)), MINUTE).view()).isSameAs(fleets.get(2));
    }

    /** A view counts for what differs from the current one, and for nothing if it is the current one. */
    @Test
    void dropsViewsThatExceedTheByteLimit() {
        FleetView first = next();
        long bytes = next().bytesInAdditionTo(first);
        assertThat(bytes).isGreaterThan(FleetView.PROVIDER_BYTES);
        assertThat(first.bytesInAdditionTo(first)).isZero();
        assertThat(next().bytesInAdditionTo(first)).isEqualTo(bytes + FleetView.PROVIDER_BYTES);
        var kept = new ViewCache(bytes, nanos::get);
        kept.keep(at(first, 1), MINUTE);
        kept.dropExcess(fleets.get(1));
        assertThat(kept.get(name(first), MINUTE).view()).isSameAs(first);
        kept.dropExcess(fleets.get(2));
        assertGone(kept, first, ErrorCode.VIEW_GONE);
    }
}
