package io.berth.identity.outgoing;

import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;

/**
 * A token of this service that is renewed before it expires. The first call of {@link #get} fetches the token. The
 * first call in the last fifth of the token's lifetime starts a renewal; if the renewal fails, the next call starts
 * another. Meanwhile, the present token is used until it expires. Concurrent callers share one fetch. Thread-safe.
 */
public final class RenewedToken {
    /** Fraction of the lifetime after which the token is renewed. */
    private static final double RENEW_AFTER = 0.8;
    /**
     * Lifetime that is assumed for a new token that seems to have expired already. No renewal runs beside such a token:
     * once 4/5 of this lifetime have passed, callers wait for the next token.
     */
    private static final Duration FALLBACK_LIFETIME = Duration.ofMinutes(1);

    private final Supplier<Uni<IssuedToken>> source;
    private final InstantSource clock;
    private volatile @Nullable CachedToken cached;
    private @Nullable Uni<String> runningFetch;

    private record CachedToken(IssuedToken issued, Instant renewAt, Uni<String> tokenItem) {}

    /** @param source requests a new token from its identity provider; called once for each fetch */
    public RenewedToken(Supplier<Uni<IssuedToken>> source, InstantSource clock) {
        this.source = source;
        this.clock = clock;
    }

    /** Returns the present token, or fetches one if there is none or it has expired. Fails if the fetch fails. */
    public Uni<String> get() {
        CachedToken current = cached;
        Instant now = clock.instant();
        if (current != null && now.isBefore(current.renewAt())) {
            return current.tokenItem();
        }
        if (current != null && now.isBefore(current.issued().expiresAt())) {
            // If this renewal fails, the next call starts another one.
            fetch().subscribe().with(renewed -> {}, failed -> {});
            return current.tokenItem();
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
        if (runningFetch == null) {
            runningFetch = Uni.createFrom().deferred(source::get)
                    .map(this::cache)
                    .onTermination().invoke(this::endFetch)
                    .memoize().indefinitely();
        }
        return runningFetch;
    }

    private String cache(IssuedToken issued) {
        Instant now = clock.instant();
        Duration statedLifetime = Duration.between(now, issued.expiresAt());
        // A token that was just issued cannot have expired, so this service's clock is wrong. If the token really
        // expires earlier than assumed, another service refuses it, and forget() causes a new fetch.
        Duration lifetime = statedLifetime.isPositive() ? statedLifetime : FALLBACK_LIFETIME;
        Instant renewAt = now.plusMillis((long) (lifetime.toMillis() * RENEW_AFTER));
        cached = new CachedToken(issued, renewAt, Uni.createFrom().item(issued.token()));
        return issued.token();
    }

    private synchronized void endFetch() {
        runningFetch = null;
    }
}
