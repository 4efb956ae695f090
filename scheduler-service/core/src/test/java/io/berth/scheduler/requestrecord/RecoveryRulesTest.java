package io.berth.scheduler.requestrecord;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.lease.FenceNumbers;
import io.berth.scheduler.placement.AllocationsResult;
import io.berth.scheduler.placement.Claim;
import io.berth.scheduler.placement.SettlementResult;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.berth.scheduler.requestrecord.RecoveryRules.Recovery;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the recovery of an open record, by what its instances hold and who wrote it. */
class RecoveryRulesTest {
    private static final UUID ONE = UUID.fromString("11111111-1111-4111-8111-111111111111");
    private static final UUID TWO = UUID.fromString("22222222-2222-4222-8222-222222222222");
    private static final long FIRST = 65_536;
    private static final long NEXT_OWNER = 3 * FIRST;
    private static final Map<String, Map<String, Long>> NOTHING = Map.of();

    private static Map<String, Map<String, Long>> on(String hosts) {
        return switch (hosts) {
            case "-" -> NOTHING;
            case "a" -> Map.of("a", Map.of("VCPU", 1L));
            case "b" -> Map.of("b", Map.of("VCPU", 1L));
            case "a+b" -> Map.of("a", Map.of("VCPU", 1L), "b", Map.of("VCPU", 1L));
            default -> throw new IllegalArgumentException(hosts);
        };
    }

    private static RequestRecord openRecord(String answer, Map<UUID, Map<String, Map<String, Long>>> kept,
            UUID... instances) {
        return new RequestRecord(
                "key", "fingerprint", List.of(instances), answer, "req-1", FIRST,
                new RequestRecord.Open(NEXT_OWNER, true, 0), kept);
    }

    private static SettlementResult.SettledConsumer holding(String hosts, String writer) {
        boolean isEmpty = hosts.equals("-");
        Long writtenBy = switch (writer) {
            case "us" -> FIRST + 1;
            case "last claim" -> FenceNumbers.lastClaimOf(FIRST);
            case "undo" -> FenceNumbers.lastOf(FIRST);
            case "another" -> FIRST - 1;
            case "next owner" -> FenceNumbers.lastOf(NEXT_OWNER);
            case "plain" -> null;
            default -> throw new IllegalArgumentException(writer);
        };
        return new SettlementResult.SettledConsumer(
                isEmpty
                        ? AllocationsResult.Allocations.NOTHING
                        : new AllocationsResult.Allocations(on(hosts), 7L, "project", "user"), writtenBy);
    }

    private static final String ON_A = "{\"selections\": [[{\"host\": \"a\", \"allocation_request\":"
            + " {\"allocations\": {\"a\": {\"resources\": {\"VCPU\": 1}}}}}]]}";

    /** The planned host is a; "kept" is what the instance held before the request. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            # planned | kept | holds | written by | then
            yes       | -    | a     | us         | placed
            yes       | b    | a+b   | us         | placed
            yes       | -    | a+b   | plain      | placed
            yes       | -    | a     | plain      | placed
            yes       | -    | -     | plain      | nothing
            yes       | -    | b     | plain      | nothing
            yes       | -    | b     | us         | undo
            no        | -    | a     | us         | undo
            no        | -    | a     | last claim | undo
            no        | -    | a     | undo       | nothing
            no        | -    | a     | plain      | nothing
            no        | -    | a     | another    | nothing
            no        | b    | a+b   | us         | undo
            no        | b    | b     | next owner | nothing
            no        | b    | a+b   | plain      | nothing
            no        | b    | b     | us         | nothing
            no        | -    | -     | us         | nothing
            """)
    void undoesWritesOfTheRequestUnlessTheyWerePlanned(
            String planned, String kept, String holds, String writtenBy, String then) {
        RequestRecord openRecord = openRecord(planned.equals("yes") ? ON_A : null, Map.of(ONE, on(kept)), ONE);
        assertThat(RecoveryRules.recoveryOf(openRecord, Map.of(ONE, holding(holds, writtenBy))))
                .isEqualTo(switch (then) {
                    case "placed" -> new Recovery.Placed();
                    case "nothing" -> new Recovery.Undo(List.of());
                    case "undo" -> new Recovery.Undo(List.of(
                            new Claim(ONE, new AllocationRequest(on(kept), Map.of()), 7L, "project", "user")));
                    default -> throw new IllegalArgumentException(then);
                });
    }

    @Test
    void undoesTheClaimedInstancesOfAPartialRequest() {
        RequestRecord openRecord = openRecord(null, Map.of(ONE, NOTHING, TWO, NOTHING), ONE, TWO);
        assertThat(RecoveryRules.recoveryOf(openRecord, Map.of(ONE, holding("a", "us"), TWO, holding("b", "plain"))))
                .isEqualTo(
                        new Recovery.Undo(List.of(
                                new Claim(ONE, new AllocationRequest(NOTHING, Map.of()), 7L, "project", "user"))));
    }

    /** One of its instances now belongs to another request. */
    @Test
    void undoesARequestThatDoesNotOwnAllItsInstances() {
        RequestRecord openRecord = openRecord(ON_A, Map.of(ONE, NOTHING), ONE, TWO);
        assertThat(RecoveryRules.recoveryOf(openRecord, Map.of(ONE, holding("a", "us"))))
                .isInstanceOf(Recovery.Undo.class);
    }
}
