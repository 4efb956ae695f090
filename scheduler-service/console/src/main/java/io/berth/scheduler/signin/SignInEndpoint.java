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
import java.util.concurrent.atomic.AtomicInteger;
import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.server.Cancellable;

/**
 * {@code GET /v1/sign_in}: returns how this service identifies callers. {@code POST /v1/sign_in}: exchanges a Keystone
 * password, or an authorization code of an OpenID Connect provider, for a token. Both routes need no authentication,
 * because callers have no token yet. At most {@value #AT_A_TIME} exchanges are in progress, so that attempts to guess
 * passwords cannot overload Keystone; further requests get 503. Passwords, codes and tokens are not stored, not logged,
 * and not part of a URL.
 */
@Path("/v1/sign_in")
@Produces(MediaType.APPLICATION_JSON)
public class SignInEndpoint {
    /** Maximum exchanges in progress. */
    static final int AT_A_TIME = 8;
    private static final Logger LOG = Logger.getLogger(SignInEndpoint.class);
    /** Keystone's domain of a request that names none. */
    private static final String DEFAULT_DOMAIN = "Default";

    private final IdentityConfig identity;
    private final Instance<KeystoneClient> keystone;
    private final CodeSignIn codes;
    private final AtomicInteger underWay = new AtomicInteger();
    private final LogThrottle reported = new LogThrottle(System::nanoTime);

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
        TokenEndpoint tokens = codes.tokens();
        if (tokens == null) {
            json.putNull("authorization");
        } else {
            json.putObject("authorization")
                    .put("url", codes.page().toString())
                    .put("client_id", tokens.clientId())
                    .put("scope", codes.scope());
        }
        return Uni.createFrom().item(json.toString());
    }

    @POST
    @Cancellable(false)
    @Consumes(MediaType.APPLICATION_JSON)
    public Uni<String> exchange(byte[] body, @Context RoutingContext http) {
        Uni<TokenGrant> asked = ask(new StrictObject(JsonBody.ofRequest(body), "$"));
        if (underWay.incrementAndGet() > AT_A_TIME) {
            underWay.decrementAndGet();
            throw new ApiFault(ErrorCode.OVERLOADED, AT_A_TIME + " requests to sign in are in flight, the maximum");
        }
        return asked
                .onFailure().transform(this::unavailable)
                .onTermination().invoke(underWay::decrementAndGet)
                .map(exchange -> answer(exchange, http));
    }

    /** Reads the body and exchanges its credentials for a token. Throws {@link ApiFault} (400) for an invalid body. */
    private Uni<TokenGrant> ask(StrictObject read) {
        if (isKeystone()) {
            var account = new KeystoneAccount.Password(
                    read.requiredText("user"), domain(read, "user_domain"), read.requiredText("password"),
                    read.requiredText("project"), domain(read, "project_domain"));
            read.nothingElse();
            return keystone.get().exchange(account);
        }
        TokenEndpoint tokens = codes.tokens();
        if (tokens == null) {
            throw ApiFault.invalid(
                    "this service exchanges nothing for a token; GET /v1/sign_in returns how to sign in");
        }
        String code = read.requiredText("code");
        String verifier = read.requiredText("code_verifier");
        String redirectUri = read.requiredText("redirect_uri");
        read.nothingElse();
        return tokens.ofCode(code, verifier, redirectUri);
    }

    private boolean isKeystone() {
        return identity.strategy().equals("keystone");
    }

    private static String domain(StrictObject read, String name) {
        String stated = read.text(name);
        return stated == null || stated.isBlank() ? DEFAULT_DOMAIN : stated;
    }

    private String answer(TokenGrant exchange, RoutingContext request) {
        return switch (exchange) {
            case TokenGrant.Granted(var issued) -> JsonNodeFactory.instance.objectNode()
                    .put("token", issued.token())
                    .put("expires_at", issued.expiresAt().toString())
                    .toString();
            case TokenGrant.Denied(String why) -> {
                if (Identification.of(request) instanceof Identification.Unauthenticated unknown) {
                    request.response().putHeader("www-authenticate", unknown.challenge());
                }
                throw new ApiFault(ErrorCode.UNAUTHORIZED, why);
            }
        };
    }

    /** Returns the error (503) for an identity service that does not respond, and logs the cause at intervals. */
    private ApiFault unavailable(Throwable why) {
        if (reported.isTime()) {
            LOG.warnf("sign-in does not work: %s", why.getMessage() == null ? why : why.getMessage());
        }
        return new ApiFault(ErrorCode.IDENTITY_UNAVAILABLE, "the identity service does not answer");
    }
}
