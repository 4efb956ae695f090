package io.berth.scheduler.api;

import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Limits the number of decisions in flight on this replica. A request beyond the limit is refused before its decision
 * starts. Because of this limit, the queues in which decisions wait, such as the queue of the worker threads, need no
 * bound of their own. Thread-safe.
 */
@Singleton
public class Admission {
    private final int decisionsMax;
    private final AtomicInteger inFlight = new AtomicInteger();

    /** @param decisionsMax maximum decisions in flight, at least 1; further requests get 503 */
    Admission(@ConfigProperty(name = "berth.decisions-max", defaultValue = "2000") int decisionsMax) {
        this.decisionsMax = decisionsMax;
    }

    /** Runs the decision. Fails with ApiFault (503) if the maximum number of decisions is in flight. */
    public <T> Uni<T> admit(Supplier<Uni<T>> decision) {
        return Uni.createFrom().deferred(() -> {
            if (inFlight.incrementAndGet() > decisionsMax) {
                inFlight.decrementAndGet();
                return Uni.createFrom().failure(new ApiFault(
                        ErrorCode.OVERLOADED,
                        "%d decisions are in flight, the maximum (berth.decisions-max); send the request again later"
                                .formatted(decisionsMax)));
            }
            return Uni.createFrom().deferred(decision::get).onTermination().invoke(inFlight::decrementAndGet);
        });
    }
}
