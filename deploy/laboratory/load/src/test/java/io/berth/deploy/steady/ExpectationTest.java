package io.berth.deploy.steady;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.steady.Entry.Kind;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which consumers a backup must hold, may hold and must not hold, by the log of claims and releases. */
class ExpectationTest {
    private static final UUID CONSUMER = UUID.fromString("11111111-1111-4111-8111-111111111111");

    /** The backup shows a moment between 100 and 200. */
    @ParameterizedTest(name = "{0} from {1} to {2}: lost if absent={3}, wrong if present={4}")
    @CsvSource({
        "CLAIMED,         10, 20,   true,  false",
        "CLAIMED,         90, 110,  false, false",
        "CLAIMED,         150, 160, false, false",
        "CLAIMED,         190, 210, false, false",
        "CLAIMED,         201, 210, false, true",
        "CLAIM_UNKNOWN,   10, 20,   false, false",
        "CLAIM_UNKNOWN,   201, 220, false, true"})
    void aBackupMustHoldClaimsBeforeIt(Kind kind, long sentMs, long answeredMs, boolean lost, boolean wrong) {
        var expected = Expectation.at(List.of(new Entry(kind, CONSUMER, sentMs, answeredMs)), 100, 200);
        assertThat(expected.offences(Set.of()).size()).isEqualTo(lost ? 1 : 0);
        assertThat(expected.offences(Set.of(CONSUMER)).size()).isEqualTo(wrong ? 1 : 0);
    }

    @ParameterizedTest(name = "claimed before; {0} from {1} to {2}: lost if absent={3}, wrong if present={4}")
    @CsvSource({
        "RELEASED,        50, 60,   false, true",
        "RELEASED,        90, 110,  false, false",
        "RELEASED,        201, 210, true,  false",
        "RELEASE_UNKNOWN, 50, 60,   false, false",
        "RELEASE_UNKNOWN, 201, 210, true,  false"})
    void aBackupMustNotHoldReleasedClaims(Kind kind, long sentMs, long answeredMs, boolean lost, boolean wrong) {
        var expected = Expectation.at(List.of(new Entry(Kind.CLAIMED, CONSUMER, 10, 20),
                new Entry(kind, CONSUMER, sentMs, answeredMs)), 100, 200);
        assertThat(expected.offences(Set.of()).size()).isEqualTo(lost ? 1 : 0);
        assertThat(expected.offences(Set.of(CONSUMER)).size()).isEqualTo(wrong ? 1 : 0);
    }

    @Test
    void reportsAConsumerThatNeverClaimed() {
        assertThat(Expectation.atTheEnd(List.of()).offences(Set.of(CONSUMER))).hasSize(1);
    }

    @Test
    void parsesTheLinesThatItWrites() {
        var entry = new Entry(Kind.RELEASE_UNKNOWN, CONSUMER, 1, 2);
        assertThat(Entry.parse(entry.toString())).isEqualTo(entry);
    }
}
