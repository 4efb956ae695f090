package io.berth.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.IntFunction;
import java.util.function.ToIntFunction;

/**
 * A token that was taken and lives for a moment. On a slow machine it may be over before it is asked about: then another one
 * lives twice as long.
 */
public record ShortLived(String token, int seconds) {
    private static final int SECONDS_MAX = 60;

    /**
     * @param made a token that lives for so many seconds
     * @param status of the answer to whoever shows it
     */
    public static ShortLived taken(IntFunction<String> made, ToIntFunction<String> status) {
        int seconds = 1;
        String token;
        int told;
        do {
            seconds *= 2;
            token = made.apply(seconds);
            told = status.applyAsInt(token);
        } while (told != 200 && seconds < SECONDS_MAX);
        assertThat(told).isEqualTo(200);
        return new ShortLived(token, seconds);
    }
}
