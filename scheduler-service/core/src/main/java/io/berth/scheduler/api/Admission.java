package io.berth.scheduler.api;

import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * How many decisions may be on their way at once. Everything a decision waits for, worker threads included, is bounded
 * by this: further requests are refused at the door, before anything of theirs is claimed.
 */
@Singleton
public class Admission {
    private final int decisionsMax;
    private final AtomicInteger underWay = new AtomicInteger();

    /** @param decisionsMax decisions under way at a time, at least 1; more are answered 503 */
    Admission(@ConfigProperty(name = "berth.decisions-max", defaultValue = "2000") int decisionsMax) {
        this.decisionsMax = decisionsMax;
    }

    /** Fails with ApiFault (503) where too many are under way. */
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
