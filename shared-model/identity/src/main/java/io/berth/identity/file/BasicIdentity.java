package io.berth.identity.file;

import io.berth.identity.Identification;
import io.berth.identity.IdentityStrategy;
import io.berth.identity.RequestHeader;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * Strategy {@code basic}: {@code Authorization: Basic}, with the name and the secret of an entry of the file ({@link
 * SecretFile}). Use it over TLS. Source: RFC 7617.
 */
@Singleton
public class BasicIdentity implements IdentityStrategy {
    private static final String SCHEME = "Basic ";
    private static final Identification.Unauthenticated INVALID_CREDENTIAL = new Identification.Unauthenticated(
            "the header Authorization is missing or not valid", "Basic realm=\"berth\", charset=\"UTF-8\"");

    private final SecretCheck check;

    BasicIdentity(SecretCheck check) {
        this.check = check;
    }

    @Override
    public @Nullable Identification recall(RoutingContext request) {
        return check.recall(credential(request), INVALID_CREDENTIAL);
    }

    @Override
    public Uni<Identification> ask(RoutingContext request) {
        String credential = credential(request);
        if (credential == null) {
            return Uni.createFrom().item(INVALID_CREDENTIAL);
        }
        String pair;
        try {
            pair = new String(
                    Base64.getDecoder().decode(credential.substring(SCHEME.length())), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException notBase64) {
            return Uni.createFrom().item(INVALID_CREDENTIAL);
        }
        int colon = pair.indexOf(':');
        return colon < 0
                ? Uni.createFrom().item(INVALID_CREDENTIAL)
                : check.compare(credential, pair.substring(0, colon), pair.substring(colon + 1), INVALID_CREDENTIAL);
    }

    private static @Nullable String credential(RoutingContext request) {
        String header = RequestHeader.find(request, "authorization");
        return header != null && header.regionMatches(true, 0, SCHEME, 0, SCHEME.length()) ? header : null;
    }
}
