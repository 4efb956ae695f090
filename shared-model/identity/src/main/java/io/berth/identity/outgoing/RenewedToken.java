package io.berth.identity.outgoing;

import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * A token of this service that is renewed before it expires. The first call of {@link #get} fetches the token. The
 * first call in the last fifth of its lifetime starts a renewal; concurrent callers share one fetch. While a renewal
 * runs, or if it fails, the present token is used until it expires. Thread-safe.
 */
public final class RenewedToken {
    /** Fraction of the lifetime after which the token is renewed. */
    private static final double RENEW_AFTER = 0.8;
    /** Lifetime that is assumed for a new token that seems to have expired already. */
    private static final Duration SHORTEST = Duration.ofMinutes(1);

    private final Supplier<Uni<IssuedToken>> source;
    private final InstantSource clock;
    private volatile @Nullable CachedToken cached;
    private @Nullable Uni<String> inFlight;

    private record CachedToken(IssuedToken issued, Instant renewAt, Uni<String> answer) {}

    public RenewedToken(Supplier<Uni<IssuedToken>> source, InstantSource clock) {
        this.source = source;
        this.clock = clock;
    }

    /** Returns a valid token, fetched if necessary. Fails with the failure of the source. */
    public Uni<String> get() {
        CachedToken now = cached;
        Instant time = clock.instant();
        if (now != null && time.isBefore(now.renewAt())) {
            return now.answer();
        }
        if (now != null && time.isBefore(now.issued().expiresAt())) {
            fetch().subscribe().with(renewed -> {}, failed -> {});
            return now.answer();
        }
        return fetch();
    }

    /**
     * Reports that another service refused the token. The next call of {@link #get} fetches a new token, unless the
     * token has already been replaced.
     */
    public synchronized void forget(String token) {
        if (cached != null && cached.issued().token().equals(token)) {
            cached = null;
        }
    }

    private synchronized Uni<String> fetch() {
        if (inFlight == null) {
            inFlight = Uni.createFrom().deferred(source::get)
                    .map(this::hold)
                    .onTermination().invoke(this::done)
                    .memoize().indefinitely();
        }
        return inFlight;
    }

    private String hold(IssuedToken issued) {
        Instant now = clock.instant();
        Duration stated = Duration.between(now, issued.expiresAt());
        // A token that was just issued cannot have expired, so this service's clock is wrong. If the token is refused,
        // it is renewed.
        Duration life = stated.isPositive() ? stated : SHORTEST;
        Instant renewAt = now.plusMillis((long) (life.toMillis() * RENEW_AFTER));
        cached = new CachedToken(issued, renewAt, Uni.createFrom().item(issued.token()));
        return issued.token();
    }

    private synchronized void done() {
        inFlight = null;
    }
}
