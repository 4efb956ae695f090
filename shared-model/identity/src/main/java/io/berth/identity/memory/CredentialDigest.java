package io.berth.identity.memory;

import java.nio.ByteBuffer;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;

/**
 * Computes keys of credentials: SHA-256 of a random secret and the credential's text. Each thread has its own scratch
 * space, so that a look-up allocates nothing.
 */
final class CredentialDigest {
    private static final int SECRET_BYTES = 32;

    /**
     * The secret, random per object. The field is not static, because a native build would initialize a static field at
     * build time and store the secret in the executable.
     */
    private final byte[] secret = new byte[SECRET_BYTES];
    private final int charsMax;
    private final ThreadLocal<Scratch> scratch;

    private static final class Scratch {
        final MessageDigest sha = sha256();
        final byte[] text;
        final byte[] digest = new byte[32];
        final ByteBuffer words = ByteBuffer.wrap(digest);
        final CredentialKey key = new CredentialKey();

        Scratch(int charsMax) {
            text = new byte[2 * charsMax];
        }
    }

    CredentialDigest(int charsMax) {
        new SecureRandom().nextBytes(secret);
        this.charsMax = charsMax;
        this.scratch = ThreadLocal.withInitial(() -> new Scratch(charsMax));
    }

    /**
     * Returns the key of a credential. Throws IllegalArgumentException if the credential has more than {@code charsMax}
     * characters, the limit in the constructor. The key object is reused by this thread's next call; {@link
     * CredentialKey#copy} returns one that may be kept.
     */
    CredentialKey of(String credential) {
        if (credential.length() > charsMax) {
            throw new IllegalArgumentException("the credential is longer than " + charsMax + " characters");
        }
        Scratch own = scratch.get();
        int bytes = 0;
        for (int i = 0; i < credential.length(); i++) {
            char c = credential.charAt(i);
            own.text[bytes++] = (byte) (c >> 8);
            own.text[bytes++] = (byte) c;
        }
        try {
            own.sha.update(secret);
            own.sha.update(own.text, 0, bytes);
            own.sha.digest(own.digest, 0, own.digest.length);
        } catch (DigestException e) {
            throw new IllegalStateException(e);
        }
        own.key.read(own.words);
        return own.key;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
