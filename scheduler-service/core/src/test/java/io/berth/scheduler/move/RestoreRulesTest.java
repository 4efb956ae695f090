package io.berth.scheduler.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.placement.AllocationsResult;
import io.berth.scheduler.placement.Claim;
import io.berth.scheduler.placement.SettlementResult;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what is written to restore a move, by what its consumers hold and who wrote it. */
class RestoreRulesTest {
    private static final UUID INSTANCE = UUID.fromString("11111111-1111-4111-8111-111111111111");
    private static final UUID MIGRATION = UUID.fromString("22222222-2222-4222-8222-222222222222");
    private static final Map<String, Map<String, Map<String, Long>>> HOLDINGS = Map.of(
            "-", Map.of(),
            "a", Map.of("a", Map.of("VCPU", 1L)),
            "b", Map.of("b", Map.of("VCPU", 2L)),
            "ab", Map.of("a", Map.of("VCPU", 1L), "b", Map.of("VCPU", 2L)),
            "x", Map.of("x", Map.of("VCPU", 1L)));
    private static final long FIRST = 65_536;
    private static final long OWNER = 3 * 65_536;

    /**
     * Returns the fence number of the writer: the move, a later owner of it, an earlier request, or none for a plain
     * client.
     */
    private static Long number(String writer) {
        return switch (writer) {
            case "move" -> FIRST + 1;
            case "taken" -> OWNER - 65_535;
            case "earlier" -> FIRST - 1;
            default -> null;
        };
    }

    private static SettlementResult.SettledConsumer consumer(String holds, String writer) {
        return new SettlementResult.SettledConsumer(
                new AllocationsResult.Allocations(HOLDINGS.get(holds), holds.equals("-") ? null : 7L, "p", "u"),
                number(writer));
    }

    private static String written(List<Claim> claims) {
        return claims.isEmpty() ? "nothing" : String.join(" ", claims.stream()
                .map(claim -> (claim.consumer().equals(INSTANCE) ? "instance=" : "migration=")
                        + HOLDINGS.entrySet().stream()
                                .filter(each -> each.getValue().equals(claim.request().allocations()))
                                .findFirst().orElseThrow().getKey())
                .toList());
    }

    private static void check(
            MoveState state, String kind, String after, String instance, String instanceWriter, String migration,
            String migrationWriter, String expected, String then) {
        MoveKind moveKind = MoveKind.find(kind);
        Move move = new Move(
                MIGRATION, INSTANCE, moveKind, null, state, HOLDINGS.get(kind.equals("unshelve") ? "-" : "a"),
                after == null ? null : HOLDINGS.get(after), null, "req-1", FIRST, OWNER, 0);
        var restoration = RestoreRules.of(
                move, consumer(instance, instanceWriter),
                moveKind.migrationHoldsSource() ? consumer(migration, migrationWriter) : null);
        assertThat(written(restoration.claims())).isEqualTo(expected);
        assertThat(restoration.finalResult().getClass().getSimpleName()).isEqualTo(then);
    }

    @ParameterizedTest
    @CsvSource({
        // kind, instance holds, written by, migration holds, written by, what is written, then
        "resize, a, earlier, -, none, nothing, Done",
        "resize, a, plain, -, none, nothing, Done",
        "resize, b, move, a, move, migration=- instance=a, Done",
        "live, b, taken, a, taken, migration=- instance=a, Done",
        "cold, b, move, -, plain, instance=a, Done",
        "cold, x, plain, a, move, migration=-, Gone",
        "cold, -, plain, a, move, migration=-, Gone",
        "cold, x, plain, a, plain, nothing, Done",
        "cold, -, plain, -, plain, nothing, Done",
        "evacuate, a, earlier, -, none, nothing, Done",
        "evacuate, ab, move, -, none, instance=a, Done",
        "evacuate, ab, plain, -, none, nothing, Done",
        "evacuate, b, plain, -, none, nothing, Done",
        "unshelve, b, plain, -, none, nothing, Done",
    })
    void restoresAFailedMove(
            String kind, String instance, String instanceWriter, String migration, String migrationWriter,
            String expected, String then) {
        check(MoveState.STARTED, kind, null, instance, instanceWriter, migration, migrationWriter, expected, then);
    }

    @ParameterizedTest
    @CsvSource({
        "resize, b, b, a, migration=- instance=a, Done",
        "resize, b, x, a, migration=- instance=a, Done",
        "resize, b, b, -, nothing, Gone",
        "resize, b, a, -, nothing, Done",
        "resize, b, -, a, nothing, Gone",
        "cold, a, a, a, migration=- instance=a, Done",
        "evacuate, ab, ab, -, instance=a, Done",
        "evacuate, ab, a, -, nothing, Done",
        "evacuate, ab, b, -, nothing, Gone",
        "unshelve, b, b, -, instance=-, Done",
        "unshelve, b, -, -, nothing, Done",
        "unshelve, b, x, -, nothing, Gone",
    })
    void revertsAMove(String kind, String after, String instance, String migration, String expected, String then) {
        check(MoveState.REVERTING, kind, after, instance, "move", migration, "move", expected, then);
    }

    @ParameterizedTest
    @CsvSource({
        // kind, the instance held once moved, the migration or the instance holds now, what is written, then
        "resize, b, a, migration=-, Done",
        "cold, b, x, migration=-, Done",
        "live, b, -, nothing, Done",
        "evacuate, ab, ab, instance=b, Done",
        "evacuate, ab, b, nothing, Done",
        "evacuate, ab, -, nothing, Done",
        "evacuate, ab, a, nothing, Gone",
        "unshelve, b, b, nothing, Done",
    })
    void confirmsAMove(String kind, String after, String holds, String expected, String then) {
        Move move = new Move(
                MIGRATION, INSTANCE, MoveKind.find(kind), null, MoveState.MOVED,
                HOLDINGS.get(kind.equals("unshelve") ? "-" : "a"), HOLDINGS.get(after), null, "req-1", FIRST, OWNER, 0);
        var restoration = RestoreRules.ofConfirm(move, consumer(holds, "move").held());
        assertThat(written(restoration.claims())).isEqualTo(expected);
        assertThat(restoration.finalResult().getClass().getSimpleName()).isEqualTo(then);
    }
}
