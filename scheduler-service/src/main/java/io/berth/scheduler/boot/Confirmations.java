package io.berth.scheduler.boot;

import io.quarkus.runtime.ShutdownEvent;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Notes, behind the answer, that boots came out as their records had planned. Those of {@value #GATHER_MS} ms share a
 * statement. One that gets lost is harmless: whoever finds the record open compares it with placement. Any thread may
 * call.
 */
@Singleton
class Confirmations {
    private static final Logger LOG = Logger.getLogger(Confirmations.class);
    private static final long GATHER_MS = 100;
    private static final int TOGETHER_MAX = 512;
    /** Some 200 bytes each. Beyond that many, records are left to be found open. */
    private static final int WAITING_MAX = 20_000;
    private static final Duration WRITE_MAX = Duration.ofSeconds(10);

    record Confirmed(String key, long number) {}

    private final BootStore store;
    private final Leases leases;
    private final Vertx vertx;
    private final ArrayDeque<Confirmed> waiting = new ArrayDeque<>();
    private boolean planned;

    Confirmations(BootStore store, Leases leases, Vertx vertx) {
        this.store = store;
        this.leases = leases;
        this.vertx = vertx;
    }

    void add(String key, long number) {
        boolean plan;
        synchronized (waiting) {
            if (waiting.size() >= WAITING_MAX) {
                leases.end(number);
                return;
            }
            waiting.add(new Confirmed(key, number));
            plan = !planned;
            planned = true;
        }
        if (plan) {
            writeLater();
        }
    }

    /** By a timer each time: a chain that goes on as long as boots come would keep all that it did. */
    private void writeLater() {
        vertx.setTimer(GATHER_MS, ignored -> write().subscribe().with(wrote -> {
            if (wrote) {
                writeLater();
            }
        }));
    }

    /** What waits; false when nothing does. Never fails. */
    private Uni<Boolean> write() {
        List<Confirmed> together = new ArrayList<>();
        synchronized (waiting) {
            while (together.size() < TOGETHER_MAX && !waiting.isEmpty()) {
                together.add(waiting.poll());
            }
            if (together.isEmpty()) {
                planned = false;
                return Uni.createFrom().item(false);
            }
        }
        return Uni.createFrom().deferred(() -> store.placedAsPlanned(together))
                .ifNoItem().after(WRITE_MAX).fail()
                .onFailure().invoke(failure -> LOG.warnf(
                        "boots not confirmed, to be found open count=%d cause=%s", together.size(), failure))
                .onFailure().recoverWithNull()
                .invoke(() -> together.forEach(each -> leases.end(each.number())))
                .replaceWith(true);
    }

    void stop(@Observes ShutdownEvent stopping) {
        List<Confirmed> left;
        synchronized (waiting) {
            left = List.copyOf(waiting);
            waiting.clear();
        }
        if (!left.isEmpty()) {
            // No failure may leave: whoever is told after this one of the end would never be.
            store.placedAsPlanned(left)
                    .ifNoItem().after(WRITE_MAX).fail()
                    .onFailure().recoverWithNull()
                    .await().indefinitely();
        }
    }
}
