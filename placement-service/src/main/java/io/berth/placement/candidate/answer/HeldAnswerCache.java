package io.berth.placement.candidate.answer;

import jakarta.annotation.Nullable;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;

/**
 * The answers given last, for clients that ask what changed since. Bounded in number and in bytes; the one not asked
 * for the longest is forgotten first, and its client gets a whole answer. Any thread may call.
 */
@Singleton
final class HeldAnswerCache {
    static final int ANSWERS_MAX = 1_000;
    private static final long BYTES_MAX = 64L << 20;

    /** Tokens of an earlier process must not be taken for ours. */
    private final String prefix = HexFormat.of().toHexDigits(new SecureRandom().nextLong()) + '-';
    private final long bytesMax;
    private final LinkedHashMap<String, HeldAnswer> byToken = new LinkedHashMap<>(64, 0.75f, true);
    private long bytes;
    private long tokens;

    @Inject
    HeldAnswerCache() {
        this(Math.min(BYTES_MAX, Runtime.getRuntime().maxMemory() / 16));
    }

    HeldAnswerCache(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Null when the token is not of an answer to that query that is still known. */
    synchronized @Nullable HeldAnswer find(@Nullable String token, String query) {
        HeldAnswer answer = token == null ? null : byToken.get(token);
        return answer == null || !answer.query().equals(query) ? null : answer;
    }

    /** Of tokens that several replicas gave, the last that is of this one; null when none is. */
    @Nullable HeldAnswer findLast(List<String> tokens, String query) {
        for (String token : tokens.reversed()) {
            HeldAnswer answer = find(token, query);
            if (answer != null) {
                return answer;
            }
        }
        return null;
    }

    synchronized String newToken() {
        return prefix + Long.toHexString(++tokens);
    }

    synchronized void remember(HeldAnswer answer) {
        HeldAnswer before = byToken.put(answer.token(), answer);
        bytes += answer.bytes() - (before == null ? 0 : before.bytes());
        var oldest = byToken.values().iterator();
        while (bytes > bytesMax || byToken.size() > ANSWERS_MAX) {
            bytes -= oldest.next().bytes();
            oldest.remove();
        }
    }

    synchronized int size() {
        return byToken.size();
    }
}
