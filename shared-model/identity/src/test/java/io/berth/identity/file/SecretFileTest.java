package io.berth.identity.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.identity.Caller;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the file of secrets: hashes, entries and their errors. */
class SecretFileTest {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String HASH = new SecretHash(10_000, new byte[16], new byte[32]).render();

    /** Hashes with the fewest allowed iterations: those of new entries take seconds in a cold JVM. */
    private static SecretHash hashOf(String secret) {
        return SecretHash.of(secret.toCharArray(), SecretHash.ITERATIONS_MIN, RANDOM);
    }

    @Test
    void aNewHashHasTheRecommendedIterations() {
        assertThat(SecretHash.of(new char[] {'a'}, RANDOM).iterations()).isEqualTo(SecretHash.ITERATIONS);
    }

    @Test
    void aHashMatchesOnlyItsOwnSecret() {
        SecretHash hash = SecretHash.parse(hashOf("Grüße").render());
        assertThat(hash.matches("Grüße".toCharArray())).isTrue();
        assertThat(hash.matches("Grüße ".toCharArray())).isFalse();
        assertThat(hash.matches("".toCharArray())).isFalse();
    }

    @Test
    void theFunctionIsPbkdf2WithSha512() {
        // Made with Python: hashlib.pbkdf2_hmac('sha512', b'password', b'0123456789abcdef', 10000, 32).
        String hash = "$pbkdf2-sha512$i=10000$MDEyMzQ1Njc4OWFiY2RlZg$vjR6vvzD/s/9O/bIA/kgyh6SABOPaeZp7to/TcV8714";
        assertThat(SecretHash.parse(hash).matches("password".toCharArray())).isTrue();
    }

    @Test
    void saltsDiffer() {
        assertThat(hashOf("a").render())
                .isNotEqualTo(hashOf("a").render());
    }

    @Test
    void readsEntries() {
        SecretFile file = SecretFile.parse("""
                # the scheduler
                nova  %1$s  p1  service

                alice %1$s p2 reader,Member
                ops %1$s system:all admin
                nobody %1$s - -
                """.formatted(HASH));
        assertThat(file.entries()).hasSize(4);
        assertThat(file.entries().get("nova").caller()).isEqualTo(Caller.ofProject("nova", "p1", Set.of("service")));
        assertThat(file.entries().get("alice").caller().roles()).containsExactlyInAnyOrder("reader", "member");
        assertThat(file.entries().get("ops").caller()).isEqualTo(Caller.ofSystem("ops", Set.of("admin")));
        assertThat(file.entries().get("nobody").caller()).isEqualTo(Caller.ofProject("nobody", null, Set.of()));
    }

    @Test
    void readsWhatItRenders() {
        SecretHash hash = SecretHash.parse(HASH);
        String text = SecretFile.render("a", hash, "p", false, List.of("x", "y")) + "\n"
                + SecretFile.render("b", hash, null, true, List.of()) + "\n"
                + SecretFile.render("c", hash, null, false, List.of());
        SecretFile file = SecretFile.parse(text);
        assertThat(file.entries().get("a").caller()).isEqualTo(Caller.ofProject("a", "p", Set.of("x", "y")));
        assertThat(file.entries().get("b").caller()).isEqualTo(Caller.ofSystem("b", Set.of()));
        assertThat(file.entries().get("c").caller()).isEqualTo(Caller.ofProject("c", null, Set.of()));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "nova HASH p1",
        "nova HASH p1 service more",
        "no.va HASH p1 service",
        "nova secret p1 service",
        "nova $pbkdf2-sha512$i=1$MDEyMzQ1Njc4OWFiY2RlZg$AAAA p1 service",
        "nova HASH p1 service\nnova HASH p1 service",
    })
    void refusesInvalidEntries(String text) {
        assertThatThrownBy(() -> SecretFile.parse(text.replace("HASH", HASH)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("line [12]: .*");
    }

    /** Such a file is being written, or the disk is full. Existing secrets must stay valid. */
    @Test
    void refusesAFileWithoutEntries() {
        assertThatThrownBy(() -> SecretFile.parse("# nobody\n\n")).hasMessage("must have at least one entry");
    }

    @Test
    void theTextOfAHashDoesNotRevealIt() {
        assertThat(SecretHash.parse(HASH).toString())
                .doesNotContain(Base64.getEncoder().withoutPadding().encodeToString(new byte[32]));
    }
}
