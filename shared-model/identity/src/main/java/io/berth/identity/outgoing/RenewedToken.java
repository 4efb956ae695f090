package io.berth.identity.outgoing;

import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * A token of our own. Fetched at first use, then again when a fifth of its life is left; concurrent callers share one
 * fetch. While a renewal takes its time or fails, the token at hand serves until it runs out.
 */
public final class RenewedToken {
    private static final double RENEW_AFTER = 0.8;
    private static final Duration SHORTEST = Duration.ofMinutes(1);

    private final Supplier<Uni<IssuedToken>> source;
    private final InstantSource clock;
    private volatile CachedToken cached;
    private Uni<String> inFlight;

    private record CachedToken(IssuedToken issued, Instant renewAt, Uni<String> answer) {}

    public RenewedToken(Supplier<Uni<IssuedToken>> source, InstantSource clock) {
        this.source = source;
        this.clock = clock;
    }

    /** Fails when there is none at hand and none to be had. */
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

    /** It was refused: the next call fetches another, unless that has happened already. */
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
        // Just issued, and over by our clock: that is wrong. Where the token is refused, it is renewed.
        Duration life = stated.isPositive() ? stated : SHORTEST;
        Instant renewAt = now.plusMillis((long) (life.toMillis() * RENEW_AFTER));
        cached = new CachedToken(issued, renewAt, Uni.createFrom().item(issued.token()));
        return issued.token();
    }

    private synchronized void done() {
        inFlight = null;
    }
}
