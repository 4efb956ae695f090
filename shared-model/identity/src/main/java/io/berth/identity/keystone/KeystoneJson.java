package io.berth.identity.keystone;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.identity.Caller;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Renders request bodies of Keystone's API, and parses its responses. Source: Identity API v3, password and application
 * credential authentication.
 */
final class KeystoneJson {
    private static final ObjectMapper JSON = new ObjectMapper(JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(50).build())
            .build());

    private KeystoneJson() {}

    static byte[] renderLogin(KeystoneAccount account) {
        ObjectNode body = JSON.createObjectNode();
        ObjectNode auth = body.putObject("auth");
        ObjectNode identity = auth.putObject("identity");
        switch (account) {
            case KeystoneAccount.Password password -> {
                identity.putArray("methods").add("password");
                ObjectNode user = identity.putObject("password").putObject("user");
                putName(user, password.user(), password.userDomain()).put("password", password.password());
                putName(auth.putObject("scope").putObject("project"), password.project(), password.projectDomain());
            }
            // The credential implies its project, so there is no scope.
            case KeystoneAccount.ApplicationCredential credential -> {
                identity.putArray("methods").add("application_credential");
                identity.putObject("application_credential")
                        .put("id", credential.id())
                        .put("secret", credential.secret());
            }
        }
        return body.toString().getBytes(StandardCharsets.UTF_8);
    }

    private static ObjectNode putName(ObjectNode object, String name, String domain) {
        object.put("name", name).putObject("domain").put("name", domain);
        return object;
    }

    /** Parses the description of a valid token. Throws {@link KeystoneUnavailable} if the body is anything else. */
    static TokenValidation.Valid parseToken(byte[] body) {
        JsonNode token = token(body);
        Set<String> roles = new HashSet<>();
        token.path("roles").forEach(role -> roles.add(text(role, "name")));
        JsonNode user = token.path("user");
        String project = token.path("project").path("id").textValue();
        String domain = token.path("domain").path("id").textValue();
        boolean system = token.path("system").path("all").asBoolean(false);
        return new TokenValidation.Valid(new Caller(text(user, "id"), project, domain, roles, system), expiry(token));
    }

    /** Parses the expiry of a new token. Throws {@link KeystoneUnavailable} for an invalid body. */
    static Instant parseExpiry(byte[] body) {
        return expiry(token(body));
    }

    /** Returns the message of Keystone's error body; empty if the body has another form. */
    static Optional<String> findMessage(byte[] body) {
        try {
            return Optional.ofNullable(JSON.readTree(body).path("error").path("message").textValue());
        } catch (IOException notJson) {
            return Optional.empty();
        }
    }

    /** Returns the member {@code token}. Throws {@link KeystoneUnavailable} if the body has none. */
    private static JsonNode token(byte[] body) {
        JsonNode token;
        try {
            token = JSON.readTree(body).path("token");
        } catch (IOException e) {
            throw new KeystoneUnavailable("its response is not JSON");
        }
        if (!token.isObject()) {
            throw new KeystoneUnavailable("its response has no token");
        }
        return token;
    }

    private static Instant expiry(JsonNode token) {
        try {
            return Instant.parse(text(token, "expires_at"));
        } catch (DateTimeParseException e) {
            throw new KeystoneUnavailable("its response has an invalid expires_at");
        }
    }

    private static String text(JsonNode node, String member) {
        String text = node.path(member).textValue();
        if (text == null) {
            throw new KeystoneUnavailable("its response lacks " + member);
        }
        return text;
    }
}
