package io.berth.scheduler.signin;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.identity.Identification;
import io.berth.identity.IdentityConfig;
import io.berth.identity.http.NowAndThen;
import io.berth.identity.keystone.KeystoneAccount;
import io.berth.identity.keystone.KeystoneClient;
import io.berth.identity.outgoing.Exchange;
import io.berth.identity.outgoing.TokenEndpoint;
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
 * {@code GET /v1/sign_in}: how this service identifies callers. {@code POST}: a token for a Keystone password, or for
 * the code that an OpenID Connect provider sent a browser back with. Open to all, because callers have no token yet; at
 * most {@value #AT_A_TIME} at a time, so that guessed passwords cannot keep Keystone busy. Neither password nor code
 * nor token is kept, logged, or part of a URL.
 */
@Path("/v1/sign_in")
@Produces(MediaType.APPLICATION_JSON)
public class SignInEndpoint {
    static final int AT_A_TIME = 8;
    private static final Logger LOG = Logger.getLogger(SignInEndpoint.class);
    private static final String DEFAULT_DOMAIN = "Default";

    private final IdentityConfig identity;
    private final Instance<KeystoneClient> keystone;
    private final CodeSignIn codes;
    private final AtomicInteger underWay = new AtomicInteger();
    private final NowAndThen reported = new NowAndThen(System::nanoTime);

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
        Uni<Exchange> asked = ask(new StrictObject(JsonBody.ofRequest(body), "$"));
        if (underWay.incrementAndGet() > AT_A_TIME) {
            underWay.decrementAndGet();
            throw new ApiFault(ErrorCode.OVERLOADED, AT_A_TIME + " sign in at this moment");
        }
        return asked
                .onFailure().transform(this::away)
                .onTermination().invoke(underWay::decrementAndGet)
                .map(exchange -> answer(exchange, http));
    }

    private Uni<Exchange> ask(StrictObject read) {
        if (isKeystone()) {
            var account = new KeystoneAccount.Password(
                    read.requiredText("user"), domain(read, "user_domain"), read.requiredText("password"),
                    read.requiredText("project"), domain(read, "project_domain"));
            read.nothingElse();
            return keystone.get().exchange(account);
        }
        TokenEndpoint tokens = codes.tokens();
        if (tokens == null) {
            throw ApiFault.invalid("nothing is exchanged for a token here: GET /v1/sign_in says what to send");
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

    private String answer(Exchange exchange, RoutingContext request) {
        return switch (exchange) {
            case Exchange.Granted(var issued) -> JsonNodeFactory.instance.objectNode()
                    .put("token", issued.token())
                    .put("expires_at", issued.expiresAt().toString())
                    .toString();
            case Exchange.Denied(String why) -> {
                if (Identification.of(request) instanceof Identification.Unauthenticated unknown) {
                    request.response().putHeader("www-authenticate", unknown.challenge());
                }
                throw new ApiFault(ErrorCode.UNAUTHORIZED, why);
            }
        };
    }

    private ApiFault away(Throwable why) {
        if (reported.isTime()) {
            LOG.warnf("sign-in does not work: %s", why.getMessage() == null ? why : why.getMessage());
        }
        return new ApiFault(ErrorCode.IDENTITY_UNAVAILABLE, "the identity service does not answer");
    }
}
