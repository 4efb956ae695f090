package io.berth.scheduler.placementsync;

import io.berth.context.Recurring;
import io.berth.scheduler.host.registry.HostKeeper;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.smallrye.mutiny.CompositeException;
import io.smallrye.mutiny.Uni;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * The background job of the placement sync. Polls every 500 ms for hosts that are due: they have changes that are not
 * written to placement, and the pause after their last failed attempt is over. Writes the changes in {@value #LANES}
 * concurrent lanes, each of which processes one host after the other. A lane ends at the first host whose result is
 * {@link SyncResult.Unreachable}.
 *
 * <p>The pause before the next attempt for a host begins with {@value #FIRST_PAUSE_SECONDS} s and doubles with each
 * attempt: up to {@value #UNREACHABLE_PAUSE_SECONDS_MAX} s after {@link SyncResult.Unreachable}, up to
 * {@value #REFUSED_PAUSE_SECONDS_MAX} s after {@link SyncResult.Refused}.
 */
@Singleton
class SyncRuns {
    private static final Logger LOG = Logger.getLogger(SyncRuns.class);
    private static final Duration EVERY = Duration.ofMillis(500);
    /** Maximum hosts that this replica synchronizes at a time. */
    private static final int LANES = 4;
    /** Maximum hosts of a lane in one run. */
    private static final int PER_LANE_MAX = 250;
    /** Lease of a host. Longer than {@link #WORK_MAX}, so that two replicas do not work on the same host at a time. */
    private static final double LEASE_SECONDS = 60;
    /** Time limit of an attempt for one host. */
    private static final Duration WORK_MAX = Duration.ofSeconds(45);
    private static final double FIRST_PAUSE_SECONDS = 1;
    private static final double UNREACHABLE_PAUSE_SECONDS_MAX = 8;
    private static final double REFUSED_PAUSE_SECONDS_MAX = 60;
    /** Maximum doublings of the pause. It has reached both its limits before. */
    private static final int DOUBLINGS_MAX = 10;

    private final boolean enabled;
    private final Duration compareEvery;
    private final SyncStore store;
    private final HostSync hostSync;
    private final SyncMetrics metrics;
    private final AtomicBoolean running = new AtomicBoolean();
    /** True if a host may have become due since the current run began; another run then follows. */
    private volatile boolean runAgain;
    /** True if this replica starts work on hosts; false before the start, while it stops, and if the sync is off. */
    private volatile boolean isWorking;

    /**
     * @param enabled false if nova itself maintains placement's traits and aggregates; changes of the registry stay
     *     pending until it is true
     * @param compareEvery interval at which disabled hosts are compared with placement even if nothing changed in the
     *     registry, as nova-compute does
     */
    SyncRuns(
            @ConfigProperty(name = "berth.placement-sync.enabled", defaultValue = "true") boolean enabled,
            @ConfigProperty(name = "berth.placement-sync.compare-every", defaultValue = "60S") Duration compareEvery,
            SyncStore store,
            HostSync hostSync,
            SyncMetrics metrics,
            HostKeeper hosts) {
        this.enabled = enabled && !hosts.isForeign();
        this.compareEvery = compareEvery.toMillis() < 1 ? Duration.ofMillis(1) : compareEvery;
        this.store = store;
        this.hostSync = hostSync;
        this.metrics = metrics;
    }

    /** Returns whether the placement sync is configured, and Berth owns the hosts. */
    boolean enabled() {
        return enabled;
    }

    void start(@Observes StartupEvent started, Recurring recurring) {
        isWorking = enabled;
        recurring.every(
                EVERY, () -> whileWorking(Uni.createFrom().voidItem().invoke(this::startRun)),
                "pending hosts not polled");
        recurring.every(compareEvery, () -> whileWorking(compare()), "disabled hosts not compared");
    }

    /**
     * Makes disabled hosts, and registered hosts with the trait {@value DesiredTraits#DISABLED}, due unless they are
     * pending already, so that a trait that another client set or removed is corrected.
     */
    private Uni<Void> compare() {
        return Uni.createFrom().deferred(hostSync::disabledInPlacement).chain(store::compareDisabled);
    }

    private Uni<Void> whileWorking(Uni<Void> work) {
        return isWorking ? work : Uni.createFrom().voidItem();
    }

    void stop(@Observes ShutdownEvent stopping) {
        end();
    }

    /** Starts work on hosts. */
    void begin() {
        isWorking = true;
    }

    /** Starts no further work; an attempt in progress continues, see {@link #isRunning}. */
    void end() {
        isWorking = false;
    }

    /** Returns whether this replica synchronizes hosts. */
    boolean isWorking() {
        return isWorking;
    }

    /** Returns whether a host may still be in progress, even after {@link #end}. */
    boolean isRunning() {
        return running.get();
    }

    /** Starts a run for hosts that just became due: at once, or after the current run, instead of at the next poll. */
    void runNow() {
        runAgain = true;
        startRun();
    }

    private void startRun() {
        if (running.compareAndSet(false, true)) {
            runAgain = false;
            run().onTermination().invoke(this::afterRun).subscribe().with(
                    done -> {},
                    failure -> LOG.warnf("placement sync failed cause=%s",
                            failure instanceof CompositeException lanes ? lanes.getCauses().getFirst() : failure));
        }
    }

    private void afterRun() {
        running.set(false);
        if (runAgain && isWorking()) {
            startRun();
        }
    }

    /**
     * Runs all lanes. A lane ends if no host is due, after a result that is {@link SyncResult.Unreachable}, after
     * {@value #PER_LANE_MAX} hosts, or if this replica stops.
     */
    private Uni<Void> run() {
        List<Uni<Void>> lanes = Stream.generate(this::lane).limit(LANES).toList();
        return Uni.join().all(lanes).andCollectFailures().replaceWithVoid();
    }

    private Uni<Void> lane() {
        return Uni.createFrom().deferred(this::workOnOne)
                .repeat().atMost(PER_LANE_MAX)
                .select().first(laneContinues -> laneContinues)
                .onItem().ignoreAsUni();
    }

    /** Leases and synchronizes one host. Returns whether the lane continues. */
    private Uni<Boolean> workOnOne() {
        if (!isWorking()) {
            return Uni.createFrom().item(false);
        }
        return store.lease(LEASE_SECONDS)
                .chain(host -> host == null ? Uni.createFrom().item(false) : workOn(host));
    }

    private Uni<Boolean> workOn(PendingHost host) {
        return hostSync.sync(host)
                .ifNoItem().after(WORK_MAX).recoverWithItem(new SyncResult.Unreachable("not done in " + WORK_MAX))
                .onFailure().recoverWithItem(failure -> new SyncResult.Unreachable(failure.toString()))
                .invoke(metrics::countAttempt)
                .chain(result -> switch (result) {
                    case SyncResult.Done _ -> store.finish(host).replaceWith(true);
                    case SyncResult.Refused refused ->
                        postpone(host, REFUSED_PAUSE_SECONDS_MAX, refused.why(), false).replaceWith(true);
                    case SyncResult.Unreachable lost ->
                        postpone(host, UNREACHABLE_PAUSE_SECONDS_MAX, lost.why(), true).replaceWith(false);
                });
    }

    private Uni<Void> postpone(PendingHost host, double secondsMax, String why, boolean inDoubt) {
        LOG.warnf("host not synced host=%s attempt=%d why=%s", host.host(), host.attempts(), why);
        double pause = FIRST_PAUSE_SECONDS * Math.pow(2, Math.min(host.attempts() - 1, DOUBLINGS_MAX));
        return store.postpone(host, Math.min(pause, secondsMax), why, inDoubt);
    }
}
