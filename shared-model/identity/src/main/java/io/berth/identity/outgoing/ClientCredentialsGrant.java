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

/**
 * Fetches an access token from an OpenID Connect provider with our own client id and secret. Source: RFC 6749, 4.4.
 *
 * @param scope asked for; null for the provider's default
 */
public record ClientCredentialsGrant(
        BoundedHttp tokenEndpoint, String clientId, String clientSecret, @Nullable String scope, InstantSource clock) {
    /** Assumed when the provider does not say. */
    private static final long LIFE_SECONDS = 60;
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Fails with {@link BoundedHttp.NoAnswer} when the provider refuses or talks nonsense. */
    public Uni<IssuedToken> fetch() {
        String form = "grant_type=client_credentials" + (scope == null ? "" : "&scope=" + encoded(scope));
        String pair = encoded(clientId) + ":" + encoded(clientSecret);
        return tokenEndpoint.send(
                        HttpMethod.POST, "",
                        Map.of(
                                "content-type", "application/x-www-form-urlencoded",
                                "accept", "application/json",
                                "authorization", "Basic "
                                        + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8))),
                        Buffer.buffer(form))
                .map(this::issued);
    }

    private IssuedToken issued(BoundedHttp.Answer answer) {
        if (answer.status() != 200) {
            throw new BoundedHttp.NoAnswer("the token endpoint answered " + answer.status());
        }
        try {
            JsonNode body = JSON.readTree(answer.body().getBytes());
            String token = body.path("access_token").asText("");
            if (token.isEmpty()) {
                throw new BoundedHttp.NoAnswer("the token endpoint's answer has no access_token");
            }
            return new IssuedToken(token, clock.instant().plusSeconds(body.path("expires_in").asLong(LIFE_SECONDS)));
        } catch (IOException e) {
            throw new BoundedHttp.NoAnswer("the token endpoint's answer is not JSON");
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return "client " + clientId;
    }
}
