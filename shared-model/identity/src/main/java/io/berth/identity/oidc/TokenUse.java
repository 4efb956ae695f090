package io.berth.identity.oidc;

import io.vertx.core.json.JsonObject;
import jakarta.annotation.Nullable;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Set;

/**
 * Detects signed tokens that are not access tokens. A service must accept access tokens only: an ID token informs a
 * client about a login, a refresh token is for the identity provider, a logout token ends sessions. The provider
 * signs all of these with the same key, and some have the same audience. A token without a stated purpose counts as an
 * access token.
 * <br>Source: Keycloak (claim {@code typ}), RFC 9068, 2.1, and OpenID Connect Back-Channel Logout, 2.4 (header {@code
 * typ}, claim {@code events}).
 */
final class TokenUse {
    private static final Set<String> OTHER_USES_IN_CLAIM = Set.of("id", "refresh", "offline", "logout");
    private static final Set<String> OTHER_USES_IN_HEADER = Set.of("logout+jwt", "secevent+jwt");
    /** The number of parts of a signed token: header, claims and signature. */
    private static final int PARTS = 3;

    private TokenUse() {}

    /**
     * Returns whether the token states a purpose other than access; false for an opaque token. Reads the token without
     * verifying its signature, which suffices for a refusal but not for an acceptance.
     */
    static boolean statesOtherUse(String token) {
        String[] parts = token.split("\\.", -1);
        if (parts.length != PARTS) {
            return false;
        }
        JsonObject header = decode(parts[0]);
        JsonObject claims = decode(parts[1]);
        return header != null && OTHER_USES_IN_HEADER.contains(typ(header))
                || claims != null && (OTHER_USES_IN_CLAIM.contains(typ(claims)) || claims.containsKey("events"));
    }

    private static String typ(JsonObject part) {
        return String.valueOf(part.getValue("typ")).toLowerCase(Locale.ROOT);
    }

    /** Returns the header or the claims; null if the part is not a JSON object in base64. */
    private static @Nullable JsonObject decode(String part) {
        try {
            return new JsonObject(new String(Base64.getUrlDecoder().decode(part), StandardCharsets.UTF_8));
        } catch (RuntimeException unreadable) {
            return null;
        }
    }
}
