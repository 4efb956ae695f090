package io.berth.placement.ledger.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.berth.placement.fleet.Inventory;
import io.berth.placement.ledger.claim.ClaimResult.Settled;
import io.berth.placement.ledger.claim.ClaimResult.SettledConsumer;
import io.berth.placement.ledger.claim.ConsumerClaim.Amount;
import io.berth.placement.ledger.claim.ConsumerClaim.GenerationCheck;
import io.berth.placement.ledger.claim.ConsumerSettlement.Undo;
import io.berth.placement.ledger.claim.LockedRows.Holding;
import io.berth.placement.ledger.claim.LockedRows.LockedInventory;
import io.berth.placement.ledger.claim.LockedRows.LockedProvider;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which fence numbers are accepted, and what settlements undo, on two hosts with eight units each. */
class FenceRulesTest {
    private static final UUID HOST = new UUID(1, 1);
    private static final UUID OTHER_HOST = new UUID(1, 2);
    private static final UUID VM = new UUID(2, 1);
    private static final UUID MIGRATION = new UUID(2, 2);
    private static final UUID UNKNOWN = new UUID(2, 3);
    private static final int VCPU = 0;
    private static final AllocationKey ON_HOST = new AllocationKey(10, VCPU);
    private static final AllocationKey ON_OTHER = new AllocationKey(20, VCPU);
    private static final ClaimResult CLAIMED = new ClaimResult.Claimed();

    private final Map<UUID, Holding> holdings = new HashMap<>();
    private final Map<UUID, Fence> tombstones = new HashMap<>();
    private final Map<UUID, Map<AllocationKey, Long>> used = new HashMap<>();

    @BeforeEach
    void begin() {
        used.put(HOST, new HashMap<>());
        used.put(OTHER_HOST, new HashMap<>());
    }

    // ---- writes

    @ParameterizedTest(name = "fence {0}, last write by {1}: a write by {2} is {3}")
    @CsvSource({
        "0, , 0, written", "0, , 1, written", "5, 5, 0, written", "5, 5, 6, written", "5, , 6, written",
        "5, , 5, fenced", "5, 5, 4, fenced", "5, 3, 4, fenced", "5, 3, 5, fenced",
        "5, 5, 5, repeated", "5, 3, 3, repeated",
        "9223372036854775807, 1, 9223372036854775807, fenced"})
    void acceptsHigherNumbersAndRepetitions(long fence, Long claimedBy, long write, String outcome) {
        Fence before = new Fence(fence, claimedBy);
        Fence after = write == 0 ? new Fence(fence, null) : new Fence(write, write);
        holds(VM, before, ON_HOST, 2);
        var withRow = decide(replace(write, VM, take(OTHER_HOST, 1)));
        assertThat(withRow.effect().consumers()).isEqualTo(outcome.equals("written")
                ? Map.of(VM, Optional.of(new Consumer(4, "project", "user", "INSTANCE", after))) : Map.of());
        tombstones.put(MIGRATION, before);
        var withoutRow = decide(replace(write, MIGRATION, take(OTHER_HOST, 1)));
        assertThat(withoutRow.effect().consumers()).isEqualTo(outcome.equals("written")
                ? Map.of(MIGRATION, Optional.of(new Consumer(1, "project", "user", "INSTANCE", after))) : Map.of());
        for (ClaimRules.Decision decision : List.of(withRow, withoutRow)) {
            assertThat(decision.effect().isNothing()).isEqualTo(!outcome.equals("written"));
        }
        assertThat(withRow.results()).containsExactly(
                outcome.equals("fenced") ? new ClaimResult.Fenced(VM, fence, write) : CLAIMED);
        assertThat(withoutRow.results()).containsExactly(
                outcome.equals("fenced") ? new ClaimResult.Fenced(MIGRATION, fence, write) : CLAIMED);
    }

    @Test
    void aRefusedWriteDoesNotRaiseTheFence() {
        var decision = decide(
                replace(9, VM, take(HOST, 9)),
                replace(5, VM, take(HOST, 8)),
                new Claim.Release(MIGRATION, 9),
                replace(5, MIGRATION, take(OTHER_HOST, 8)));
        assertThat(decision.results()).containsExactly(
                new ClaimResult.CapacityExceeded("VCPU", HOST), CLAIMED,
                new ClaimResult.NothingAllocated(MIGRATION), CLAIMED);
    }

    @Test
    void consumersEmptiedByAFencedWriteKeepItsNumber() {
        holds(VM, new Fence(3, 3L), ON_HOST, 2);
        holds(MIGRATION, Fence.NONE, ON_OTHER, 2);
        var decision = decide(new Claim.Replace(List.of(wants(VM), wants(MIGRATION)), 4), replace(4, VM),
                replace(4, MIGRATION));
        assertThat(decision.results()).containsExactly(CLAIMED, CLAIMED, CLAIMED);
        assertThat(decision.effect().tombstones()).containsOnly(
                entry(VM, new Fence(4, 4L)), entry(MIGRATION, new Fence(4, 4L)));
        assertThat(decision.effect().consumers()).containsOnly(
                entry(VM, Optional.empty()), entry(MIGRATION, Optional.empty()));
    }

    @Test
    void aPlainReleaseKeepsTheFenceAndClearsTheNumber() {
        holds(VM, new Fence(3, 3L), ON_HOST, 2);
        holds(MIGRATION, Fence.NONE, ON_OTHER, 2);
        assertThat(decide(replace(0, VM), replace(0, MIGRATION), replace(0, UNKNOWN)).effect().tombstones())
                .containsExactly(entry(VM, new Fence(3, null)));
    }

    @Test
    void aWriteIsARepetitionOnlyIfItIsTheLastOfAllItsConsumers() {
        var move = new Claim.Replace(List.of(wants(VM, take(HOST, 1)), wants(MIGRATION, take(OTHER_HOST, 1))), 4);
        assertThat(decide(move, move).results()).containsExactly(CLAIMED, CLAIMED);
        assertThat(decide(move, replace(0, MIGRATION, take(OTHER_HOST, 2)), move).results())
                .containsExactly(CLAIMED, CLAIMED, new ClaimResult.Fenced(VM, 4, 4));
    }

    @Test
    void aReshapeClearsTheNumberAndKeepsTheFence() {
        holds(VM, new Fence(3, 3L), ON_HOST, 2);
        var decision = decide(new Claim.Reshape(
                List.of(new InventoryClaim(HOST, 7, Map.of("VCPU", terms()))), List.of(wants(VM, take(HOST, 2)))));
        assertThat(decision.effect().consumers().get(VM).orElseThrow().fence()).isEqualTo(new Fence(3, null));
    }

    // ---- settlements

    @Test
    void aSettlementWithoutUndoOnlyRaisesFences() {
        holds(VM, new Fence(3, 3L), ON_HOST, 2);
        tombstones.put(MIGRATION, new Fence(2, 2L));
        var decision = decide(settle(9, withoutUndo(VM), withoutUndo(MIGRATION), withoutUndo(UNKNOWN)));
        assertThat(decision.results()).containsExactly(new Settled(List.of(
                new SettledConsumer(
                        VM, new Consumer(3, "project", "user", "INSTANCE", new Fence(9, 3L)), new Fence(9, 3L), false,
                        List.of(new ClaimResult.ProviderAllocations(HOST, 7, Map.of("VCPU", 2L)))),
                new SettledConsumer(MIGRATION, null, new Fence(9, 2L), false, List.of()),
                new SettledConsumer(UNKNOWN, null, new Fence(9, null), false, List.of())), null));
        assertThat(decision.effect().tombstones()).containsOnly(
                entry(MIGRATION, new Fence(9, 2L)), entry(UNKNOWN, new Fence(9, null)));
        assertThat(decision.effect().keptAllocations()).isEmpty();
        assertThat(decision.effect().changedProviders()).isEmpty();
    }

    @ParameterizedTest(name = "last write by {0}: undone {1}")
    @CsvSource({"3, false", "4, true", "6, true", "7, false", ", false"})
    void undoesOnlyWritesWithinTheRangeOfNumbers(Long claimedBy, boolean undone) {
        holds(VM, new Fence(7, claimedBy), ON_HOST, 2);
        var decision = decide(settle(9, new ConsumerSettlement(new Undo(4, 6), wants(VM, take(OTHER_HOST, 1)))));
        SettledConsumer settled = only(decision);
        assertThat(settled.isUndone()).isEqualTo(undone);
        assertThat(settled.fence()).isEqualTo(new Fence(9, undone ? Long.valueOf(9) : claimedBy));
        assertThat(settled.allocations()).extracting(ClaimResult.ProviderAllocations::provider)
                .containsExactly(undone ? OTHER_HOST : HOST);
    }

    /**
     * Undoing the move restores both consumers at once, because neither fits while the other one holds its allocations.
     */
    @Test
    void undoesAMoveAsOneWrite() {
        holds(VM, new Fence(4, 4L), ON_OTHER, 8);
        holds(MIGRATION, new Fence(4, 4L), ON_HOST, 8);
        var settle = settle(
                9, new ConsumerSettlement(new Undo(4, 8), wants(VM, take(HOST, 8))),
                new ConsumerSettlement(new Undo(4, 8), wants(MIGRATION)));
        var decision = decide(settle, settle);
        assertThat(decision.results()).allSatisfy(
                result -> assertThat(((Settled) result).undoRefused()).isNull());
        assertThat(decision.effect().tombstones()).containsExactly(entry(MIGRATION, new Fence(9, 9L)));
        assertThat(decision.effect().usedChanges()).containsExactly(entry(ON_OTHER, -8L));
        assertThat(((Settled) decision.results().getLast()).consumers()).as("repeated")
                .allSatisfy(consumer -> assertThat(consumer.isUndone()).isFalse());
    }

    @Test
    void restoresAllocationsThatAWriteReleased() {
        tombstones.put(VM, new Fence(4, 4L));
        var decision = decide(settle(9, new ConsumerSettlement(new Undo(4, 8), wants(VM, take(HOST, 2)))));
        assertThat(only(decision).isUndone()).isTrue();
        assertThat(decision.effect().newAllocations()).containsOnlyKeys(VM);
        assertThat(decision.effect().tombstones()).isEmpty();
    }

    @Test
    void raisesTheFencesEvenIfTheUndoIsRefused() {
        holds(VM, new Fence(4, 4L), ON_HOST, 2);
        holds(MIGRATION, new Fence(4, 4L), ON_OTHER, 2);
        holds(UNKNOWN, Fence.NONE, ON_HOST, 6);
        var decision = decide(settle(
                9, new ConsumerSettlement(new Undo(4, 8), wants(VM, take(HOST, 3))),
                new ConsumerSettlement(new Undo(4, 8), wants(MIGRATION))));
        Settled settled = (Settled) decision.results().getFirst();
        assertThat(settled.undoRefused()).isEqualTo(new ClaimResult.CapacityExceeded("VCPU", HOST));
        assertThat(settled.consumers()).allSatisfy(consumer -> {
            assertThat(consumer.isUndone()).isFalse();
            assertThat(consumer.fence()).isEqualTo(new Fence(9, 4L));
            assertThat(consumer.allocations()).hasSize(1);
        });
        assertThat(decision.effect().usedChanges()).isEmpty();
    }

    @Test
    void aSettlementAfterALaterOneChangesNothing() {
        holds(VM, new Fence(4, 4L), ON_HOST, 2);
        tombstones.put(MIGRATION, new Fence(10, null));
        var decision = decide(settle(9, new ConsumerSettlement(new Undo(4, 8), wants(VM)), withoutUndo(MIGRATION)));
        assertThat(decision.results()).containsExactly(new ClaimResult.Fenced(MIGRATION, 10, 9));
        assertThat(decision.effect().isNothing()).isTrue();
    }

    // ---- helpers

    private static SettledConsumer only(ClaimRules.Decision decision) {
        return ((Settled) decision.results().getFirst()).consumers().getFirst();
    }

    private static Claim.Settle settle(long fence, ConsumerSettlement... consumers) {
        return new Claim.Settle(fence, Arrays.asList(consumers));
    }

    private static ConsumerSettlement withoutUndo(UUID consumer) {
        return new ConsumerSettlement(null, ConsumerClaim.ofNothing(consumer));
    }

    private static Amount take(UUID provider, long amount) {
        return new Amount(provider, "VCPU", amount);
    }

    private static ConsumerClaim wants(UUID consumer, Amount... amounts) {
        return new ConsumerClaim(
                consumer, new GenerationCheck.Unchecked(), "project", "user", "INSTANCE", Arrays.asList(amounts));
    }

    private static Claim replace(long fence, UUID consumer, Amount... amounts) {
        return new Claim.Replace(List.of(wants(consumer, amounts)), fence);
    }

    private void holds(UUID consumer, Fence fence, AllocationKey key, long units) {
        holdings.put(
                consumer, new Holding(new Consumer(3, "project", "user", "INSTANCE", fence), Map.of(key, units)));
        used.get(key.equals(ON_HOST) ? HOST : OTHER_HOST).merge(key, units, Long::sum);
    }

    private static Inventory terms() {
        return new Inventory(8, 0, 1, 1000, 1, 1.0);
    }

    private LockedProvider provider(UUID uuid, AllocationKey key) {
        long units = used.get(uuid).getOrDefault(key, 0L);
        return new LockedProvider(
                key.providerId(), uuid, 7, Map.of(VCPU, new LockedInventory(terms(), units)), Map.of());
    }

    private ClaimRules.Decision decide(Claim... claims) {
        var rows = new LockedRows(
                holdings, tombstones, Map.of(HOST, provider(HOST, ON_HOST), OTHER_HOST, provider(OTHER_HOST, ON_OTHER)),
                Map.of("VCPU", VCPU));
        return ClaimRules.decide(rows, Arrays.asList(claims));
    }
}
