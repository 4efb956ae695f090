package io.berth.scheduler.signin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.identity.Identification;
import io.berth.identity.IdentityConfig;
import io.berth.identity.http.LogThrottle;
import io.berth.identity.keystone.KeystoneAccount;
import io.berth.identity.keystone.KeystoneClient;
import io.berth.identity.outgoing.TokenEndpoint;
import io.berth.identity.outgoing.TokenGrant;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.json.StrictObject;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.inject.Instance;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.Cancellable;

/**
 * {@code GET /v1/sign_in}: returns how this service identifies callers, and how they can sign in.
 * {@code POST /v1/sign_in}: exchanges a Keystone password, or an authorization code of an OpenID Connect provider, for
 * a token. Both routes need no authentication, because callers have no token yet. At most {@value #AT_A_TIME} exchanges
 * are in progress at a time, so that attempts to guess passwords cannot overload Keystone; further requests get 503.
 * Passwords, codes and tokens are not stored, not logged, and not part of a URL.
 */
@Path("/v1/sign_in")
@Produces(MediaType.APPLICATION_JSON)
public class SignInEndpoint {
    /** The maximum number of exchanges in progress. */
    static final int AT_A_TIME = 8;
    private static final Logger LOG = Logger.getLogger(SignInEndpoint.class);
    /** The Keystone domain for a request that names no domain. */
    private static final String DEFAULT_DOMAIN = "Default";

    private final IdentityConfig identity;
    private final Instance<KeystoneClient> keystone;
    private final CodeSignIn codes;
    private final AtomicInteger inProgress = new AtomicInteger();
    private final LogThrottle logThrottle = new LogThrottle(System::nanoTime);

    SignInEndpoint(IdentityConfig identity, Instance<KeystoneClient> keystone, CodeSignIn codes) {
        this.identity = identity;
        this.keystone = keystone;
        this.codes = codes;
    }

    @GET
    public Uni<String> ways() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("strategy", identity.strategy());
        json.put("password", isKeystone());
        TokenEndpoint tokens = codes.tokenEndpoint();
        URI page = codes.signInPage();
        if (tokens == null || page == null) {
            json.putNull("authorization");
        } else {
            json.putObject("authorization")
                    .put("url", page.toString())
                    .put("client_id", tokens.clientId())
                    .put("scope", codes.scope());
        }
        return Uni.createFrom().item(json.toString());
    }

    @POST
    @Cancellable(false)
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<String> exchange(byte[] body, @Context RoutingContext http) {
        Uni<TokenGrant> grant = exchange(new StrictObject(JsonBody.ofRequest(body), "$"));
        if (inProgress.incrementAndGet() > AT_A_TIME) {
            inProgress.decrementAndGet();
            throw new ApiFault(
                    ErrorCode.OVERLOADED,
                    AT_A_TIME + " requests to sign in are in progress, the maximum: send the request again later");
        }
        return grant
                .onFailure().transform(this::unavailable)
                .onTermination().invoke(inProgress::decrementAndGet)
                .map(result -> render(result, http));
    }

    /** Reads the body and exchanges its credentials for a token. Throws {@link ApiFault} (400) for an invalid body. */
    private Uni<TokenGrant> exchange(StrictObject body) {
        if (isKeystone()) {
            var account = new KeystoneAccount.Password(
                    body.requiredText("user"), domain(body, "user_domain"), body.requiredText("password"),
                    body.requiredText("project"), domain(body, "project_domain"));
            body.refuseUnreadMembers();
            return keystone.get().exchange(account);
        }
        TokenEndpoint tokens = codes.tokenEndpoint();
        if (tokens == null) {
            throw ApiFault.invalid(
                    "this service does not issue tokens; GET /v1/sign_in returns how to sign in");
        }
        String code = body.requiredText("code");
        String verifier = body.requiredText("code_verifier");
        String redirectUri = body.requiredText("redirect_uri");
        body.refuseUnreadMembers();
        return tokens.exchangeCode(code, verifier, redirectUri);
    }

    private boolean isKeystone() {
        return identity.strategy().equals("keystone");
    }

    private static String domain(StrictObject body, String name) {
        String domain = body.text(name);
        return domain == null || domain.isBlank() ? DEFAULT_DOMAIN : domain;
    }

    private String render(TokenGrant grant, RoutingContext request) {
        return switch (grant) {
            case TokenGrant.Granted(var issued) -> JsonNodeFactory.instance.objectNode()
                    .put("token", issued.token())
                    .put("expires_at", issued.expiresAt().toString())
                    .toString();
            case TokenGrant.Denied(String why) -> {
                if (Identification.of(request) instanceof Identification.Unauthenticated unauthenticated) {
                    request.response().putHeader("www-authenticate", unauthenticated.challenge());
                }
                throw new ApiFault(ErrorCode.UNAUTHORIZED, why);
            }
        };
    }

    /** Returns the error (503) for an identity service that does not respond. Logs it at most every ten seconds. */
    private ApiFault unavailable(Throwable why) {
        if (logThrottle.isDue()) {
            LOG.warnf(
                    "sign-in failed: the identity service does not respond cause=%s",
                    why.getMessage() == null ? why : why.getMessage());
        }
        return new ApiFault(
                ErrorCode.IDENTITY_UNAVAILABLE, "the identity service does not respond; sign in again later");
    }
}
