package io.berth.identity.keystone;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.identity.Caller;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Bodies of Keystone's API. Source: Identity API v3, password and application credential authentication. */
final class KeystoneJson {
    private static final ObjectMapper JSON = new ObjectMapper(JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(50).build())
            .build());

    private KeystoneJson() {}

    static byte[] renderLogin(KeystoneAccount account) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
        try (JsonGenerator json = JSON.getFactory().createGenerator(bytes)) {
            json.writeStartObject();
            json.writeObjectFieldStart("auth");
            json.writeObjectFieldStart("identity");
            switch (account) {
                case KeystoneAccount.Password password -> password(json, password);
                case KeystoneAccount.ApplicationCredential credential -> applicationCredential(json, credential);
            }
            json.writeEndObject();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** Writes identity and, after closing it, the scope. */
    private static void password(JsonGenerator json, KeystoneAccount.Password account) throws IOException {
        methods(json, "password");
        json.writeObjectFieldStart("password");
        json.writeObjectFieldStart("user");
        json.writeStringField("name", account.user());
        domain(json, account.userDomain());
        json.writeStringField("password", account.password());
        json.writeEndObject();
        json.writeEndObject();
        json.writeEndObject();
        json.writeObjectFieldStart("scope");
        json.writeObjectFieldStart("project");
        json.writeStringField("name", account.project());
        domain(json, account.projectDomain());
        json.writeEndObject();
        json.writeEndObject();
    }

    /** The credential has its project in itself: no scope. */
    private static void applicationCredential(JsonGenerator json, KeystoneAccount.ApplicationCredential account)
            throws IOException {
        methods(json, "application_credential");
        json.writeObjectFieldStart("application_credential");
        json.writeStringField("id", account.id());
        json.writeStringField("secret", account.secret());
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void methods(JsonGenerator json, String method) throws IOException {
        json.writeArrayFieldStart("methods");
        json.writeString(method);
        json.writeEndArray();
    }

    private static void domain(JsonGenerator json, String name) throws IOException {
        json.writeObjectFieldStart("domain");
        json.writeStringField("name", name);
        json.writeEndObject();
    }

    /** Throws {@link KeystoneAway} for anything but the description of a token. */
    static TokenAnswer.Valid parseToken(byte[] body) {
        JsonNode token = token(body);
        Set<String> roles = new HashSet<>();
        token.path("roles").forEach(role -> roles.add(text(role, "name")));
        JsonNode user = token.path("user");
        String project = token.path("project").path("id").textValue();
        String domain = token.path("domain").path("id").textValue();
        boolean system = token.path("system").path("all").asBoolean(false);
        return new TokenAnswer.Valid(new Caller(text(user, "id"), project, domain, roles, system), expiry(token));
    }

    /** Throws {@link KeystoneAway} likewise. */
    static Instant parseExpiry(byte[] body) {
        return expiry(token(body));
    }

    /** What an answer says went wrong. */
    static Optional<String> findMessage(byte[] body) {
        try {
            return Optional.ofNullable(JSON.readTree(body).path("error").path("message").textValue());
        } catch (IOException notJson) {
            return Optional.empty();
        }
    }

    private static JsonNode token(byte[] body) {
        JsonNode token;
        try {
            token = JSON.readTree(body).path("token");
        } catch (IOException e) {
            throw new KeystoneAway("its answer is not JSON");
        }
        if (!token.isObject()) {
            throw new KeystoneAway("its answer describes no token");
        }
        return token;
    }

    private static Instant expiry(JsonNode token) {
        try {
            return Instant.parse(text(token, "expires_at"));
        } catch (DateTimeParseException e) {
            throw new KeystoneAway("its answer has an unreadable expires_at");
        }
    }

    private static String text(JsonNode node, String member) {
        String text = node.path(member).textValue();
        if (text == null) {
            throw new KeystoneAway("its answer lacks " + member);
        }
        return text;
    }
}
