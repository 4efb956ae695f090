package io.berth.identity.file;

import io.berth.identity.Identification;
import io.berth.identity.IdentityStrategy;
import io.berth.identity.RequestHeader;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;

/**
 * Strategy {@code token}: {@code x-auth-token: NAME.SECRET}, with the name and the secret of an entry of the file
 * ({@link SecretFile}). Use it over TLS.
 */
@Singleton
public class TokenIdentity implements IdentityStrategy {
    private static final Identification.Unauthenticated INVALID_CREDENTIAL = new Identification.Unauthenticated(
            "the header x-auth-token is missing or not valid", "Token realm=\"berth\"");

    private final SecretCheck check;

    TokenIdentity(SecretCheck check) {
        this.check = check;
    }

    @Override
    public @Nullable Identification recall(RoutingContext request) {
        return check.recall(token(request), INVALID_CREDENTIAL);
    }

    @Override
    public Uni<Identification> ask(RoutingContext request) {
        String token = token(request);
        int dot = token == null ? -1 : token.indexOf('.');
        return token == null || dot < 0
                ? Uni.createFrom().item(INVALID_CREDENTIAL)
                : check.compare(token, token.substring(0, dot), token.substring(dot + 1), INVALID_CREDENTIAL);
    }

    private static @Nullable String token(RoutingContext request) {
        return RequestHeader.find(request, "x-auth-token");
    }
}
