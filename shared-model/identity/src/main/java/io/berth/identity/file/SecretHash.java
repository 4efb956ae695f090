package io.berth.identity.file;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * The hash of a secret, as a file stores it: PBKDF2 with HMAC-SHA-512 (the JDK's), written {@code
 * $pbkdf2-sha512$i=ITERATIONS$SALT$HASH} with base64 without padding.
 *
 * @param iterations 10,000 to 10,000,000; a check takes about 0.5 microseconds for each iteration, for any secret
 */
record SecretHash(int iterations, byte[] salt, byte[] hash) {
    /** The number of iterations for new entries. Source: OWASP's password storage recommendation for this function. */
    static final int ITERATIONS = 210_000;
    static final int ITERATIONS_MIN = 10_000;
    private static final int ITERATIONS_MAX = 10_000_000;
    private static final int SALT_BYTES = 16;
    private static final int HASH_BYTES = 32;
    private static final Pattern FORM =
            Pattern.compile("\\$pbkdf2-sha512\\$i=([0-9]{1,8})\\$([A-Za-z0-9+/]+)\\$([A-Za-z0-9+/]+)");

    static SecretHash of(char[] secret, SecureRandom random) {
        return of(secret, ITERATIONS, random);
    }

    static SecretHash of(char[] secret, int iterations, SecureRandom random) {
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        return new SecretHash(iterations, salt, derive(secret, salt, iterations, HASH_BYTES));
    }

    /** Parses the text form. Throws IllegalArgumentException with the reason. */
    static SecretHash parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException("the hash must be $pbkdf2-sha512$i=ITERATIONS$SALT$HASH");
        }
        int iterations = Integer.parseInt(form.group(1));
        if (iterations < ITERATIONS_MIN || iterations > ITERATIONS_MAX) {
            throw new IllegalArgumentException(
                    "iterations must be " + ITERATIONS_MIN + " to " + ITERATIONS_MAX + ", not " + iterations);
        }
        byte[] salt = Base64.getDecoder().decode(form.group(2));
        byte[] hash = Base64.getDecoder().decode(form.group(3));
        if (salt.length < SALT_BYTES || hash.length != HASH_BYTES) {
            throw new IllegalArgumentException("the salt must have at least " + SALT_BYTES + " bytes, the hash exactly "
                    + HASH_BYTES);
        }
        return new SecretHash(iterations, salt, hash);
    }

    String render() {
        var base64 = Base64.getEncoder().withoutPadding();
        return "$pbkdf2-sha512$i=" + iterations + "$" + base64.encodeToString(salt) + "$" + base64.encodeToString(hash);
    }

    /**
     * Returns whether {@code secret} has this hash. Takes about a tenth of a second with {@value #ITERATIONS}
     * iterations, so it must not run on an event loop.
     */
    boolean matches(char[] secret) {
        return MessageDigest.isEqual(hash, derive(secret, salt, iterations, hash.length));
    }

    private static byte[] derive(char[] secret, byte[] salt, int iterations, int bytes) {
        PBEKeySpec spec = new PBEKeySpec(secret, salt, iterations, bytes * 8);
        try {
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA512").generateSecret(spec).getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        } finally {
            spec.clearPassword();
        }
    }

    @Override
    public String toString() {
        return "hash of " + iterations + " iterations";
    }
}
