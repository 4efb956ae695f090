package io.berth.placement.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Seed;
import java.util.Random;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the parsers of canonical and other forms of UUIDs. */
class UuidTextTest {
    private static final Pattern CANONICAL =
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");
    private static final UUID ONE = UUID.fromString("0123abcd-89ef-4567-8f00-fedcba987654");

    @Test
    void parsesTheCanonicalForm() {
        assertThat(UuidText.parseCanonical("0123abcd-89ef-4567-8f00-fedcba987654")).isEqualTo(ONE);
        assertThat(UuidText.parseCanonical("ffffffff-ffff-ffff-ffff-ffffffffffff")).isEqualTo(new UUID(-1, -1));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "0123ABCD-89ef-4567-8f00-fedcba987654", "0123abcd89ef45678f00fedcba987654",
        "{0123abcd-89ef-4567-8f00-fedcba987654}",
        "urn:uuid:0123abcd-89ef-4567-8f00-fedcba987654",
        "uurn:uid:0123abcd-89ef-4567-8f00-fedcba987654"})
    void parsesOtherFormsOnlyLeniently(String text) {
        assertThat(UuidText.parseLenient(text)).isEqualTo(ONE);
        assertThat(UuidText.parseCanonical(text)).isNull();
    }

    @Test
    void refusesUuidsWithOneWrongCharacter() {
        long seed = Seed.of(UuidTextTest.class);
        var random = new Random(seed);
        String alphabet = "-0129abcdefABFgz/:`{}\\u0660\\u00e9";
        for (int i = 0; i < 20_000; i++) {
            var text = new StringBuilder(ONE.toString());
            text.setCharAt(random.nextInt(text.length()), alphabet.charAt(random.nextInt(alphabet.length())));
            if (random.nextInt(10) == 0) {
                text.setLength(random.nextInt(text.length()));
            }
            UUID expected = CANONICAL.matcher(text).matches() ? UUID.fromString(text.toString()) : null;
            assertThat(UuidText.parseCanonical(text.toString())).as("seed %d: %s", seed, text).isEqualTo(expected);
        }
    }
}
