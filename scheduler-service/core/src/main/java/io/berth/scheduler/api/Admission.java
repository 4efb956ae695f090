package io.berth.scheduler.api;

import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Limits the number of decisions in flight. This also bounds what decisions wait for, such as worker threads. Further
 * requests are refused before anything is claimed for them.
 */
@Singleton
public class Admission {
    private final int decisionsMax;
    private final AtomicInteger underWay = new AtomicInteger();

    /** @param decisionsMax maximum decisions at a time, at least 1; further ones get 503 */
    Admission(@ConfigProperty(name = "berth.decisions-max", defaultValue = "2000") int decisionsMax) {
        this.decisionsMax = decisionsMax;
    }

    /** Runs the decision; fails with ApiFault (503) if too many are in flight. */
    public <T> Uni<T> admit(Supplier<Uni<T>> decision) {
        return Uni.createFrom().deferred(() -> {
            if (underWay.incrementAndGet() > decisionsMax) {
                underWay.decrementAndGet();
                return Uni.createFrom().failure(new ApiFault(
                        ErrorCode.OVERLOADED, "%d decisions are under way already".formatted(decisionsMax)));
            }
            return Uni.createFrom().deferred(decision::get).onTermination().invoke(underWay::decrementAndGet);
        });
    }
}
