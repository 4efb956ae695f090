package io.berth.identity.memory;

import java.nio.ByteBuffer;

/** A keyed SHA-256 digest of a credential, computed by {@link CredentialDigest}. */
public final class CredentialKey {
    private long a;
    private long b;
    private long c;
    private long d;

    CredentialKey() {}

    void read(ByteBuffer digest) {
        a = digest.getLong(0);
        b = digest.getLong(8);
        c = digest.getLong(16);
        d = digest.getLong(24);
    }

    CredentialKey copy() {
        CredentialKey copy = new CredentialKey();
        copy.a = a;
        copy.b = b;
        copy.c = c;
        copy.d = d;
        return copy;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CredentialKey key && key.a == a && key.b == b && key.c == c && key.d == d;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(a);
    }
}
