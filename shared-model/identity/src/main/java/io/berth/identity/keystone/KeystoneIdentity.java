package io.berth.identity.keystone;

import io.berth.identity.Identification;
import io.berth.identity.IdentityConfig;
import io.berth.identity.IdentityStrategy;
import io.berth.identity.RequestHeader;
import io.berth.identity.StartRefusal;
import io.berth.identity.TimeSource;
import io.berth.identity.http.LogThrottle;
import io.berth.identity.memory.CredentialMemory;
import io.berth.identity.memory.CredentialMemory.Finding;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Nullable;
import jakarta.annotation.PostConstruct;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.jboss.logging.Logger;

/**
 * Strategy {@code keystone}: {@code x-auth-token} is a Keystone token, for which Keystone returns user, project, scope
 * and roles. A response is cached for {@code berth.auth.keystone.cache-time}, but never longer than the token is valid.
 * While Keystone does not respond, callers with a cached token are served, and callers with any other token get {@link
 * Identification.Unavailable}.
 */
@Singleton
public class KeystoneIdentity implements IdentityStrategy {
    private static final Logger LOG = Logger.getLogger(KeystoneIdentity.class);
    /** Maximum length of a token; a longer one is refused without a call. */
    private static final int TOKEN_CHARS_MAX = 8_192;
    /** Time for which an invalid token is refused without another validation, unless the cache time is shorter. */
    private static final Duration INVALID_CACHE_TIME = Duration.ofSeconds(5);
    private static final Identification.Unavailable UNAVAILABLE = new Identification.Unavailable(
            "The identity service (Keystone) does not answer; the token could not be checked.");

    private final KeystoneClient client;
    private final CredentialMemory<Identification> memory;
    private final Duration cacheTime;
    private final Identification.Unauthenticated noToken;
    private final Identification.Unauthenticated invalid;
    private final TimeSource time;
    private final LogThrottle unavailableLog;

    KeystoneIdentity(IdentityConfig identity, KeystoneClient client, TimeSource time) {
        IdentityConfig.Keystone config = identity.keystone();
        if (config.cacheTime().isNegative() || config.cacheMax() < 1) {
            throw StartRefusal.because("berth.auth.keystone.cache-time must not be negative, cache-max at least 1");
        }
        this.client = client;
        this.time = time;
        this.unavailableLog = new LogThrottle(time::nanos);
        this.cacheTime = config.cacheTime();
        this.memory = new CredentialMemory<>(TOKEN_CHARS_MAX, config.cacheMax(), time::nanos);
        String challenge = "Keystone uri=\"" + config.url().orElseThrow() + "\"";
        this.noToken = new Identification.Unauthenticated("the header x-auth-token is missing", challenge);
        this.invalid = new Identification.Unauthenticated("the token is not valid, or no longer", challenge);
    }

    /** Logs in at start, so that a wrong address, account or network shows in the log before the first request. */
    @PostConstruct
    void login() {
        client.login().subscribe().with(
                done -> LOG.infof("Keystone answers at %s", client.url()),
                this::logUnavailable);
    }

    @Override
    public @Nullable Identification recall(RoutingContext request) {
        String token = token(request);
        if (token == null) {
            return noToken;
        }
        return isPlausible(token) ? memory.recall(token) : invalid;
    }

    @Override
    public Uni<Identification> ask(RoutingContext request) {
        String token = token(request);
        if (token == null) {
            return Uni.createFrom().item(noToken);
        }
        return memory.validate(token, this::validate)
                .onFailure().recoverWithItem(this::logUnavailable);
    }

    private Uni<Finding<Identification>> validate(String token) {
        return client.validate(token, memory.wasValid(token)).map(validation -> switch (validation) {
            case TokenValidation.Valid valid -> toFinding(valid);
            case TokenValidation.Invalid _ -> new Finding<>(invalid, false, invalidCacheNanos());
        });
    }

    private long invalidCacheNanos() {
        return (cacheTime.compareTo(INVALID_CACHE_TIME) < 0 ? cacheTime : INVALID_CACHE_TIME).toNanos();
    }

    /**
     * Keystone decides whether a token has expired. This service's clock, which may be wrong, only limits the time for
     * which the token is cached.
     */
    private Finding<Identification> toFinding(TokenValidation.Valid valid) {
        Duration remaining = Duration.between(time.instant(), valid.expiresAt());
        Duration cacheDuration = remaining.compareTo(cacheTime) < 0 ? remaining : cacheTime;
        return new Finding<>(new Identification.Known(valid.caller()), true, Math.max(0, cacheDuration.toNanos()));
    }

    private Identification logUnavailable(Throwable why) {
        if (unavailableLog.isDue()) {
            LOG.warnf("Keystone does not answer at %s: %s",
                    client.url(), why.getMessage() == null ? why : why.getMessage());
        }
        return UNAVAILABLE;
    }

    private static @Nullable String token(RoutingContext request) {
        String token = RequestHeader.find(request, "x-auth-token");
        return token == null || token.isBlank() ? null : token;
    }

    /**
     * Returns whether the token is printable ASCII without blanks and of limited length, as every token of Keystone is.
     * Other text is refused without a call.
     */
    private static boolean isPlausible(String token) {
        if (token.length() > TOKEN_CHARS_MAX) {
            return false;
        }
        for (int i = 0; i < token.length(); i++) {
            char c = token.charAt(i);
            if (c <= ' ' || c >= 0x7f) {
                return false;
            }
        }
        return true;
    }
}
