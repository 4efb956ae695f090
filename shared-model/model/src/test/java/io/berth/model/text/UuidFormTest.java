package io.berth.model.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which text forms of uuids are accepted. */
class UuidFormTest {
    @Test
    void parsesBothCasesAndOnlyLowerCaseAsCanonical() {
        var random = new SplittableRandom(5);
        for (int i = 0; i < 1_000; i++) {
            UUID uuid = new UUID(random.nextLong(), random.nextLong());
            assertThat(UuidForm.find(uuid.toString())).contains(uuid);
            assertThat(UuidForm.findCanonical(uuid.toString())).contains(uuid);
            String upper = uuid.toString().toUpperCase(Locale.ROOT);
            assertThat(UuidForm.find(upper)).contains(uuid);
            assertThat(UuidForm.findCanonical(upper)).isEmpty();
        }
    }

    @Test
    void refusesInvalidCharactersAtAnyPosition() {
        String right = "0a1b2c3d-4e5f-6789-abcd-ef0123456789";
        for (int at = 0; at < right.length(); at++) {
            for (char wrong : new char[] {'g', '/', ':', '@', '`', ' ', '-', '\u0661', '\uff11', 0}) {
                if (wrong != right.charAt(at)) {
                    assertThat(UuidForm.find(right.substring(0, at) + wrong + right.substring(at + 1))).isEmpty();
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "1-1-1-1-1", "0a1b2c3d-4e5f-6789-abcd-ef012345678", "0a1b2c3d-4e5f-6789-abcd-ef01234567890",
                "0a1b2c3d4e5f6789abcdef0123456789", "{0a1b2c3d-4e5f-6789-abcd-ef0123456}"})
    void refusesOtherForms(String text) {
        assertThat(UuidForm.find(text)).isEmpty();
        assertThat(UuidForm.findCanonical(text)).isEmpty();
    }
}
