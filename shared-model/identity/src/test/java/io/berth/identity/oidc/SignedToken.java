package io.berth.identity.oidc;

import io.vertx.core.json.JsonObject;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.util.Base64;

/** Creates JSON web tokens as a provider signs them (RS256), and forged ones. */
final class SignedToken {
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

    private SignedToken() {}

    static KeyPair newKeys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2_048);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    static JsonObject publicKey(KeyPair keys, String id) {
        RSAPublicKey key = (RSAPublicKey) keys.getPublic();
        return new JsonObject().put("kty", "RSA").put("use", "sig").put("alg", "RS256").put("kid", id)
                .put("n", number(key.getModulus())).put("e", number(key.getPublicExponent()));
    }

    static String signed(KeyPair keys, JsonObject claims) {
        return signed(keys, "JWT", claims);
    }

    /** @param typ of the header */
    static String signed(KeyPair keys, String typ, JsonObject claims) {
        return signed(keys, typ, "k1", claims);
    }

    /** @param key the id by which the public key is found */
    static String signed(KeyPair keys, String typ, String key, JsonObject claims) {
        String signed = part(new JsonObject().put("alg", "RS256").put("typ", typ).put("kid", key)) + "." + part(claims);
        try {
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(keys.getPrivate());
            signature.update(signed.getBytes(StandardCharsets.US_ASCII));
            return signed + "." + BASE64.encodeToString(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the id of the key that signed a token; "" if the token is opaque. */
    static String keyOf(String token) {
        return token.indexOf('.') < 0
                ? ""
                : new JsonObject(
                        new String(Base64.getUrlDecoder().decode(token.split("\\.")[0]), StandardCharsets.UTF_8))
                        .getString("kid", "");
    }

    static String unsigned(JsonObject claims) {
        return part(new JsonObject().put("alg", "none").put("typ", "JWT")) + "." + part(claims) + ".";
    }

    private static String part(JsonObject json) {
        return BASE64.encodeToString(json.encode().getBytes(StandardCharsets.UTF_8));
    }

    private static String number(BigInteger number) {
        byte[] bytes = number.toByteArray();
        int sign = bytes[0] == 0 ? 1 : 0;
        return BASE64.encodeToString(java.util.Arrays.copyOfRange(bytes, sign, bytes.length));
    }
}
