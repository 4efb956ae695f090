package io.berth.identity.outgoing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.identity.http.BoundedHttp;
import io.smallrye.mutiny.Uni;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A client of the token endpoint of an OpenID Connect provider. Source: RFC 6749, 4.1.3, 4.4 and 5; RFC 7636, 4.5.
 *
 * @param endpoint sends requests to the URL of the token endpoint
 * @param clientSecret null for a public client, which sends its id in the form instead of a header
 */
public record TokenEndpoint(
        BoundedHttp endpoint, String clientId, @Nullable String clientSecret, InstantSource clock) {
    /** The lifetime of a token in seconds if the provider returns none. */
    private static final long DEFAULT_LIFETIME_SECONDS = 60;
    /**
     * The error codes that mean that the provider refuses this service as a client, not a user's authorization code.
     */
    private static final Set<String> CLIENT_ERRORS =
            Set.of("invalid_client", "unauthorized_client", "unsupported_grant_type");
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Requests a token for this service itself. Fails with {@link BoundedHttp.NoResponse} if the provider refuses the
     * request or its response is invalid, and like {@link BoundedHttp#send(HttpMethod, String, Map, Buffer)} if it does
     * not respond.
     *
     * @param scope the requested scope; null for the provider's default
     */
    public Uni<IssuedToken> requestOwnToken(@Nullable String scope) {
        Map<String, String> form = scope == null
                ? Map.of("grant_type", "client_credentials")
                : Map.of("grant_type", "client_credentials", "scope", scope);
        return send(form).map(exchange -> switch (exchange) {
            case TokenGrant.Granted(IssuedToken issued) -> issued;
            case TokenGrant.Denied(String why) -> throw new BoundedHttp.NoResponse(why);
        });
    }

    /**
     * Exchanges a user's authorization code for a token. Emits {@link TokenGrant.Denied} if the provider refuses the
     * code. Fails with {@link BoundedHttp.NoResponse} if the provider refuses this service as a client or its response
     * is invalid, and like {@link BoundedHttp#send(HttpMethod, String, Map, Buffer)} if it does not respond.
     *
     * @param verifier the code verifier of PKCE
     * @param redirectUri the URI to which the provider redirected the browser
     */
    public Uni<TokenGrant> exchangeCode(String code, String verifier, String redirectUri) {
        return send(Map.of(
                "grant_type", "authorization_code", "code", code, "code_verifier", verifier, "redirect_uri",
                redirectUri));
    }

    private Uni<TokenGrant> send(Map<String, String> parameters) {
        Map<String, String> form = new TreeMap<>(parameters);
        Map<String, String> headers = new TreeMap<>(Map.of(
                "content-type", "application/x-www-form-urlencoded", "accept", "application/json"));
        if (clientSecret == null) {
            form.put("client_id", clientId);
        } else {
            String pair = urlEncode(clientId) + ":" + urlEncode(clientSecret);
            headers.put("authorization",
                    "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
        }
        String body = form.entrySet().stream()
                .map(parameter -> parameter.getKey() + "=" + urlEncode(parameter.getValue()))
                .collect(Collectors.joining("&"));
        return endpoint.send(HttpMethod.POST, "", headers, Buffer.buffer(body)).map(this::parse);
    }

    /**
     * Parses the response; throws {@link BoundedHttp.NoResponse} if it is neither a token nor a refusal of the user's
     * code. Source: RFC 6749, 5.1 and 5.2.
     */
    private TokenGrant parse(BoundedHttp.Response response) {
        JsonNode body;
        try {
            body = JSON.readTree(response.body().getBytes());
        } catch (IOException e) {
            body = JSON.nullNode();
        }
        if (response.status() >= 400 && response.status() < 500) {
            String error = body.path("error").asText("");
            String why = "the token endpoint answered " + response.status();
            if (error.isEmpty()) {
                throw new BoundedHttp.NoResponse(why + ", without an error of a provider");
            }
            why += ": " + body.path("error_description").asText(error);
            if (CLIENT_ERRORS.contains(error)) {
                throw new BoundedHttp.NoResponse(why + ": it refuses " + this + " (" + error + ")");
            }
            return new TokenGrant.Denied(why);
        }
        if (response.status() != 200) {
            throw new BoundedHttp.NoResponse("the token endpoint answered " + response.status());
        }
        String token = body.path("access_token").asText("");
        if (token.isEmpty()) {
            throw new BoundedHttp.NoResponse("the token endpoint's answer has no access_token");
        }
        return new TokenGrant.Granted(
                new IssuedToken(token,
                        clock.instant().plusSeconds(body.path("expires_in").asLong(DEFAULT_LIFETIME_SECONDS))));
    }

    private static String urlEncode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return "client " + clientId;
    }
}
