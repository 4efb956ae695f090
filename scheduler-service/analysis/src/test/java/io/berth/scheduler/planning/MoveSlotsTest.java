package io.berth.scheduler.planning;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which moves of a drain may begin. */
class MoveSlotsTest {
    /**
     * An instance is a number. With the suffix s it cannot move, with m it is already moving, with l the time is up
     * when it is reached.
     */
    @ParameterizedTest(name = "{0}, under way {1}, parallel {2}, per host {3}, limit {4}: {5}")
    @CsvSource({
        // The hosts in order, and their instances in order.
        "a 1 2 3 / b 4 5,     '',      1, 1, 9, 1,       0, false",
        "a / b 4 5,           '',      1, 1, 9, 4,       0, false",
        "a 1 2 3 / b 4 5,     '',      2, 1, 9, 1 4,     0, false",
        "a 1 2 3 / b 4 5,     '',      2, 2, 9, 1 2,     0, false",
        "a 1 2 3 / b 4 5,     '',      9, 2, 9, 1 2 4 5, 0, false",
        "a 1 2 3 / b 4 5,     '',      9, 9, 3, 1 2 3,   0, false",
        "a 1 2 3 / b 4 5,     '',      9, 1, 1, 1,       0, false",
        // Moves in progress take slots, in total and of their host.
        "a 1 2 3 / b 4 5,     a=1,     1, 1, 9, '',      1, false",
        "a 1 2 3 / b 4 5,     a=1,     2, 1, 9, 4,       1, false",
        "a 1 2 3 / b 4 5,     b=1,     2, 1, 9, 1,       1, false",
        "a 1 2 3 / b 4 5,     b=1,     2, 2, 9, 1,       1, false",
        "a 1 2 3 / b 4 5,     a=1 b=1, 2, 1, 9, '',      2, false",
        "a 1 2 3 / b 4 5,     a=3,     2, 1, 9, '',      3, false",
        "a 1 2 3 / b 4 5,     gone=1,  2, 9, 9, 1,       1, false",
        // An instance that cannot move takes no slot; the next one is tried.
        "a 1s 2 3 / b 4 5,    '',      1, 1, 9, 2,       0, false",
        "a 1s 2s 3s / b 4s 5, '',      1, 1, 9, 5,       0, false",
        "a 1s 2s / b 4s,      '',      1, 1, 9, '',      0, false",
        "a 1s 2s / b 4s,      b=1,     1, 1, 9, '',      1, false",
        // An instance that is already moving takes a slot.
        "a 1m 2 3 / b 4 5,    '',      1, 1, 9, '',      1, false",
        "a 1m 2 3 / b 4 5,    '',      2, 1, 9, 4,       1, false",
        "a 1m 2 3 / b 4 5,    '',      2, 2, 9, 2,       1, false",
        // When the time is up, the choice ends; moves that were chosen before count.
        "a 1 2l 3 / b 4 5,    '',      9, 9, 9, 1,       0, true",
        "a 1l 2 3 / b 4 5,    '',      1, 1, 9, '',      0, true",
        "a 1 2 3 / b 4l 5,    '',      1, 1, 9, 1,       0, false"})
    void choosesTheMovesThatMayBegin(
            String hosts, String underWay, int parallel, int perHost, int limit, String moves, int before,
            boolean isLate) {
        Map<String, List<String>> instances = new LinkedHashMap<>();
        for (String host : hosts.split("/")) {
            List<String> words = Arrays.asList(host.strip().split(" "));
            instances.put(words.getFirst(), words.subList(1, words.size()));
        }
        Map<String, Integer> moving = Arrays.stream(underWay.split(" "))
                .filter(each -> !each.isEmpty())
                .collect(Collectors.toMap(each -> each.split("=")[0], each -> Integer.valueOf(each.split("=")[1])));

        MoveSlots.ChosenMoves<String> chosen = new MoveSlots(parallel, perHost, limit, moving)
                .fill(List.copyOf(instances.keySet()), instances::get, MoveSlotsTest::attempt);

        assertThat(String.join(" ", chosen.moves())).isEqualTo(moves);
        assertThat(chosen.underWay()).isEqualTo(before);
        assertThat(chosen.isLate()).isEqualTo(isLate);
    }

    private static MoveSlots.MoveResult<String> attempt(String instance) {
        return switch (instance.charAt(instance.length() - 1)) {
            case 's' -> new MoveSlots.CannotMove<>();
            case 'm' -> new MoveSlots.AlreadyMoving<>();
            case 'l' -> new MoveSlots.TimeUp<>();
            default -> new MoveSlots.CanMove<>(instance);
        };
    }
}
