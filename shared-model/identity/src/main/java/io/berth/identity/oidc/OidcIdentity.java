package io.berth.identity.oidc;

import io.berth.identity.Caller;
import io.berth.identity.Identification;
import io.berth.identity.IdentityConfig;
import io.berth.identity.IdentityStrategy;
import io.berth.identity.RequestHeader;
import io.berth.identity.StartRefusal;
import io.berth.identity.TimeSource;
import io.berth.identity.http.LogThrottle;
import io.berth.identity.memory.CredentialMemory;
import io.berth.identity.memory.CredentialMemory.Finding;
import io.quarkus.oidc.AccessTokenCredential;
import io.quarkus.oidc.OIDCException;
import io.quarkus.oidc.TokenIntrospection;
import io.quarkus.oidc.runtime.OidcUtils;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.identity.IdentityProviderManager;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.identity.request.TokenAuthenticationRequest;
import io.quarkus.vertx.http.runtime.security.HttpSecurityUtils;
import io.smallrye.mutiny.TimeoutException;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.jwt.JsonWebToken;
import org.jboss.logging.Logger;

/**
 * Strategy {@code oidc}: {@code Authorization: Bearer}, verified as {@code quarkus.oidc.*} configures. Quarkus extracts
 * the roles ({@code quarkus.oidc.roles.role-claim-path}); user, project and system scope are claims. Tokens for another
 * audience ({@code quarkus.oidc.token.audience}) or another use ({@link TokenUse}) are refused. A verified token is
 * cached for a minute, but never longer than it is valid.
 */
@Singleton
public class OidcIdentity implements IdentityStrategy {
    private static final Logger LOG = Logger.getLogger(OidcIdentity.class);
    private static final String SCHEME = "Bearer ";
    /** Maximum length of the header Authorization; a longer one is refused. */
    private static final int HEADER_CHARS_MAX = 16_384;
    /** Maximum number of verified tokens in the cache. */
    private static final int CACHED_MAX = 10_000;
    /** Maximum time for which a verified token is cached. */
    private static final Duration CACHE_TIME_MAX = Duration.ofSeconds(60);
    /** Time for which an invalid token is refused without another verification. */
    private static final long INVALID_CACHE_NANOS = Duration.ofSeconds(5).toNanos();
    private static final Identification.Unauthenticated INVALID_TOKEN = new Identification.Unauthenticated(
            "the header Authorization has no valid bearer token", "Bearer realm=\"berth\"");
    private static final Identification.Unavailable UNAVAILABLE = new Identification.Unavailable(
            "The token could not be checked: the identity provider does not answer, or too many tokens are being"
                    + " checked.");

    private final List<String> audiences;
    private final IdentityConfig.Oidc config;
    private final IdentityProviderManager providers;
    private final AtomicInteger runningVerifications = new AtomicInteger();
    private final TimeSource time;
    private final LogThrottle unavailableLog;
    private final CredentialMemory<Identification> findingCache;

    OidcIdentity(
            IdentityConfig config,
            IdentityProviderManager providers,
            TimeSource time,
            @ConfigProperty(name = "quarkus.oidc.auth-server-url") java.util.Optional<String> server,
            @ConfigProperty(name = "quarkus.oidc.public-key") java.util.Optional<String> publicKey,
            @ConfigProperty(name = "quarkus.oidc.token.audience") java.util.Optional<List<String>> audience) {
        if (server.isEmpty() && publicKey.isEmpty()) {
            throw StartRefusal.because("berth.auth.strategy=oidc needs quarkus.oidc.auth-server-url");
        }
        if (audience.isEmpty()) {
            throw StartRefusal.because("berth.auth.strategy=oidc needs quarkus.oidc.token.audience: the value of the"
                    + " claim aud in tokens for this service. Otherwise a token that the provider issued for any other"
                    + " service would be accepted (the audience any permits that)");
        }
        this.audiences = List.copyOf(audience.get());
        this.config = config.oidc();
        this.providers = providers;
        this.time = time;
        this.unavailableLog = new LogThrottle(time::nanos);
        this.findingCache = new CredentialMemory<>(HEADER_CHARS_MAX, CACHED_MAX, time::nanos);
    }

    @Override
    public @Nullable Identification recall(RoutingContext request) {
        String header = header(request);
        return header == null || header.length() > HEADER_CHARS_MAX ? INVALID_TOKEN : findingCache.recall(header);
    }

    @Override
    public Uni<Identification> ask(RoutingContext request) {
        String header = header(request);
        return header == null
                ? Uni.createFrom().item(INVALID_TOKEN)
                : findingCache.validate(header, asked -> verify(header, request));
    }

    /**
     * Verifies the token. Returns that it could not be checked if too many verifications are running. Calls Quarkus'
     * identity provider directly, because Quarkus' HTTP mechanism would itself respond to an invalid token, without a
     * body.
     */
    private Uni<Finding<Identification>> verify(String header, RoutingContext request) {
        String token = header.substring(SCHEME.length()).strip();
        if (TokenUse.statesOtherUse(token)) {
            return Uni.createFrom().item(new Finding<>(INVALID_TOKEN, false, INVALID_CACHE_NANOS));
        }
        if (runningVerifications.incrementAndGet() > config.verifications()) {
            runningVerifications.decrementAndGet();
            return Uni.createFrom().item(new Finding<>(UNAVAILABLE, false, 0));
        }
        var authentication = new TokenAuthenticationRequest(new AccessTokenCredential(token));
        return providers.authenticate(HttpSecurityUtils.setRoutingContextAttribute(authentication, request))
                .ifNoItem().after(config.timeout()).fail()
                .map(this::toFinding)
                .onFailure().recoverWithItem(this::findingOfFailure)
                .onTermination().invoke(runningVerifications::decrementAndGet);
    }

    private Finding<Identification> toFinding(SecurityIdentity identity) {
        if (identity == null || identity.isAnonymous()) {
            return new Finding<>(INVALID_TOKEN, false, INVALID_CACHE_NANOS);
        }
        Function<String, Object> claim = claims(identity);
        if (!isForThisService(claim.apply("aud"), identity.getPrincipal() instanceof JsonWebToken)) {
            return new Finding<>(INVALID_TOKEN, false, INVALID_CACHE_NANOS);
        }
        Caller caller = "all".equals(text(claim.apply(config.systemScopeClaim())))
                ? Caller.ofSystem(user(identity, claim), identity.getRoles())
                : Caller.ofProject(
                        user(identity, claim), text(claim.apply(config.projectClaim())), identity.getRoles());
        return new Finding<>(new Identification.Known(caller), true, cacheNanos(claim.apply("exp")));
    }

    /**
     * Returns whether the token is for this service; always true if an accepted audience is {@code any}. Quarkus checks
     * the audience of signed tokens only, not of introspected ones. An opaque token without an audience is accepted,
     * because an identity provider need not return one.
     *
     * @param aud the claim {@code aud}; null if absent
     * @param isSigned whether the token is signed, and not opaque
     */
    private boolean isForThisService(@Nullable Object aud, boolean isSigned) {
        return audiences.contains("any") || switch (aud) {
            case null -> !isSigned;
            case Collection<?> audienceValues -> hasOurAudience(audienceValues);
            default -> hasOurAudience(List.of(aud));
        };
    }

    private boolean hasOurAudience(Collection<?> values) {
        return values.stream().map(OidcIdentity::text).anyMatch(audiences::contains);
    }

    private static String user(SecurityIdentity identity, Function<String, Object> claim) {
        String subject = text(claim.apply("sub"));
        return subject == null ? identity.getPrincipal().getName() : subject;
    }

    /** Returns the claims of a signed token, or the provider's introspection response for an opaque one. */
    private static Function<String, Object> claims(SecurityIdentity identity) {
        if (identity.getPrincipal() instanceof JsonWebToken token) {
            return token::getClaim;
        }
        Object response = identity.getAttribute(OidcUtils.INTROSPECTION_ATTRIBUTE);
        return response instanceof TokenIntrospection introspection
                ? name -> introspected(introspection, name)
                : name -> null;
    }

    private static @Nullable Object introspected(TokenIntrospection response, String name) {
        return response.contains(name) ? response.get(name) : null;
    }

    private static @Nullable String text(@Nullable Object claim) {
        return switch (claim) {
            case null -> null;
            case jakarta.json.JsonString json -> json.getString();
            default -> claim.toString();
        };
    }

    /**
     * Returns how long a verified token is cached.
     *
     * @param expires the claim {@code exp}, in seconds since 1970; null: the token is cached for the maximum time. A
     *         token with an unreadable claim is not cached
     */
    private long cacheNanos(@Nullable Object expires) {
        try {
            long remainingMs = expires == null ? Long.MAX_VALUE
                    : Math.multiplyExact(Long.parseLong(text(expires)), 1_000L) - time.millis();
            return Duration.ofMillis(Math.max(0, Math.min(remainingMs, CACHE_TIME_MAX.toMillis()))).toNanos();
        } catch (NumberFormatException | ArithmeticException unreadable) {
            return 0;
        }
    }

    /**
     * Converts a failed verification. Returns that the token is invalid if it was refused; otherwise logs the failure,
     * and returns that the token could not be checked.
     */
    private Finding<Identification> findingOfFailure(Throwable why) {
        if (why instanceof TimeoutException) {
            return unavailable("no response within the timeout");
        }
        if (why instanceof AuthenticationFailedException && !isProviderFailure(why)) {
            return new Finding<>(INVALID_TOKEN, false, INVALID_CACHE_NANOS);
        }
        return unavailable(why.getMessage());
    }

    private Finding<Identification> unavailable(@Nullable String why) {
        if (unavailableLog.isDue()) {
            LOG.warnf("the identity provider does not answer: %s", why);
        }
        return new Finding<>(UNAVAILABLE, false, 0);
    }

    /**
     * Returns whether the provider failed. Quarkus reports such a failure as an invalid token with an I/O or OIDC
     * exception among its causes.
     */
    private static boolean isProviderFailure(Throwable why) {
        for (Throwable cause = why.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof OIDCException || cause instanceof IOException
                    || cause instanceof java.util.concurrent.TimeoutException) {
                return true;
            }
        }
        return false;
    }

    private static @Nullable String header(RoutingContext request) {
        String header = RequestHeader.find(request, "authorization");
        return header != null && header.regionMatches(true, 0, SCHEME, 0, SCHEME.length()) ? header : null;
    }
}
