package io.berth.identity.memory;

import java.nio.ByteBuffer;

/** A keyed SHA-256 digest of a credential, computed by {@link CredentialDigest}. */
public final class CredentialKey {
    /** The 32 bytes of the digest as four big-endian words. */
    private long word0;
    private long word1;
    private long word2;
    private long word3;

    CredentialKey() {}

    void read(ByteBuffer digest) {
        word0 = digest.getLong(0);
        word1 = digest.getLong(8);
        word2 = digest.getLong(16);
        word3 = digest.getLong(24);
    }

    CredentialKey copy() {
        CredentialKey copy = new CredentialKey();
        copy.word0 = word0;
        copy.word1 = word1;
        copy.word2 = word2;
        copy.word3 = word3;
        return copy;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CredentialKey key && key.word0 == word0 && key.word1 == word1 && key.word2 == word2
                && key.word3 == word3;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(word0);
    }
}
