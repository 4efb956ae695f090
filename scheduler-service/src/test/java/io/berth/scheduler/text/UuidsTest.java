package io.berth.scheduler.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UuidsTest {
    @Test
    void findsWhatItReads() {
        var random = new SplittableRandom(5);
        for (int i = 0; i < 1_000; i++) {
            UUID uuid = new UUID(random.nextLong(), random.nextLong());
            assertThat(Uuids.find(uuid.toString())).isEqualTo(uuid);
            assertThat(Uuids.find(uuid.toString().toUpperCase(Locale.ROOT))).isEqualTo(uuid);
        }
    }

    @Test
    void takesNoOtherCharacterAnywhere() {
        String right = "0a1b2c3d-4e5f-6789-abcd-ef0123456789";
        for (int at = 0; at < right.length(); at++) {
            for (char wrong : new char[] {'g', '/', ':', '@', '`', ' ', '-', '\u0661', '\uff11', 0}) {
                if (wrong != right.charAt(at)) {
                    assertThat(Uuids.find(right.substring(0, at) + wrong + right.substring(at + 1))).isNull();
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1-1-1-1-1", "0a1b2c3d-4e5f-6789-abcd-ef012345678", "0a1b2c3d-4e5f-6789-abcd-ef01234567890",
            "0a1b2c3d4e5f6789abcdef0123456789", "{0a1b2c3d-4e5f-6789-abcd-ef0123456}"})
    void takesNoOtherForm(String text) {
        assertThat(Uuids.find(text)).isNull();
    }
}
