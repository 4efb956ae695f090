package io.berth.placement.ledger.claim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.berth.placement.fleet.Inventory;
import io.berth.placement.ledger.claim.ConsumerClaim.Amount;
import io.berth.placement.ledger.claim.ConsumerClaim.GenerationCheck;
import io.berth.placement.ledger.claim.LockedRows.Holding;
import io.berth.placement.ledger.claim.LockedRows.LockedInventory;
import io.berth.placement.ledger.claim.LockedRows.LockedProvider;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the rules that decide claims and reshapes against locked rows, without a database. */
class ClaimRulesTest {
    private static final UUID HOST = new UUID(1, 1);
    private static final UUID OTHER_HOST = new UUID(1, 2);
    private static final UUID VM = new UUID(2, 1);
    private static final UUID OTHER_VM = new UUID(2, 2);
    private static final int VCPU = 0;
    private static final int MEMORY_MB = 1;
    private static final AllocationKey HOST_VCPU = new AllocationKey(10, VCPU);
    private static final AllocationKey HOST_MEMORY = new AllocationKey(10, MEMORY_MB);
    private static final AllocationKey OTHER_VCPU = new AllocationKey(20, VCPU);
    private static final ClaimResult CLAIMED = new ClaimResult.Claimed();

    private final Map<UUID, Holding> holdings = new HashMap<>();
    private final Map<UUID, LockedProvider> providers = new LinkedHashMap<>();

    // ---- capacity and portions

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "fills the host exactly,                 8, 0, 1.0, 3, 5, true",
        "one more than the host has,             8, 0, 1.0, 3, 6, false",
        "reserved units are not given,           8, 2, 1.0, 3, 4, false",
        "reserved units leave the rest,          8, 2, 1.0, 3, 3, true",
        "over-commit multiplies what is left,    8, 2, 2.5, 3, 12, true",
        "over-commit is not rounded up,          3, 0, 1.5, 0, 5, false",
        "capacity 4.5 holds 4,                   3, 0, 1.5, 0, 4, true",
        "ratio below one shrinks,               10, 0, 0.5, 0, 6, false"})
    void comparesUsageWithTotalMinusReservedTimesRatio(
            String name, int total, int reserved, double ratio, long used, long amount, boolean fits) {
        host(new Inventory(total, reserved, 1, 1000, 1, ratio), used);
        assertThat(decide(replace(VM, take(HOST, "VCPU", amount))).getFirst())
                .isEqualTo(fits ? CLAIMED : new ClaimResult.CapacityExceeded("VCPU", HOST));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "below min_unit,          3, false",
        "at min_unit,             4, true",
        "not a multiple of step,  6, false",
        "at max_unit,            12, true",
        "above max_unit,         16, false",
        "beyond every number,     9223372036854775807, false"})
    void allowsPortionsWithinMinMaxAndStep(String name, long amount, boolean allowed) {
        host(new Inventory(100, 0, 4, 12, 4, 1.0), 0);
        assertThat(decide(replace(VM, take(HOST, "VCPU", amount))).getFirst())
                .isEqualTo(allowed ? CLAIMED : new ClaimResult.PortionRefused("VCPU", HOST));
    }

    @ParameterizedTest(name = "holding 6 of 10 used where 8 fit: wanting {0}")
    @CsvSource({"6, true", "5, true", "7, false"})
    void anOvercommittedHostMayStayTheSameButNotGetWorse(long amount, boolean allowed) {
        host(terms(8), 10);
        holds(VM, 3, HOST_VCPU, 6);
        assertThat(decide(replace(VM, take(HOST, "VCPU", amount))).getFirst())
                .isEqualTo(allowed ? CLAIMED : new ClaimResult.CapacityExceeded("VCPU", HOST));
    }

    @Test
    void movesAnAllocationBetweenConsumersOfAFullHost() {
        host(terms(8), 8);
        holds(VM, 1, HOST_VCPU, 8);
        var decision = decideAll(new Claim.Replace(List.of(
                wants(VM, new GenerationCheck.Is(1)),
                wants(OTHER_VM, new GenerationCheck.IsNew(), take(HOST, "VCPU", 8)))));
        assertThat(decision.results()).containsExactly(CLAIMED);
        assertThat(decision.effect().usedChanges()).isEmpty();
        assertThat(decision.effect().consumers()).containsEntry(VM, Optional.empty());
        assertThat(decision.effect().generationRises()).containsExactly(entry(10L, 1));
    }

    @Test
    void addsUpTheAmountsOfSeveralConsumersOfOneClaim() {
        host(terms(8), 0);
        assertThat(
                decide(new Claim.Replace(List.of(
                        wants(VM, new GenerationCheck.IsNew(), take(HOST, "VCPU", 5)),
                        wants(OTHER_VM, new GenerationCheck.IsNew(), take(HOST, "VCPU", 4))))))
                .containsExactly(new ClaimResult.CapacityExceeded("VCPU", HOST));
    }

    // ---- sequences of claims

    @Test
    void decidesEachClaimAfterTheEffectsOfPreviousClaims() {
        host(terms(8), 0);
        var decision = decideAll(
                replace(VM, take(HOST, "VCPU", 5)),
                replace(OTHER_VM, take(HOST, "VCPU", 4)),
                replace(OTHER_VM, take(HOST, "VCPU", 3)));
        assertThat(decision.results())
                .containsExactly(CLAIMED, new ClaimResult.CapacityExceeded("VCPU", HOST), CLAIMED);
        assertThat(decision.effect().usedChanges()).containsExactly(entry(HOST_VCPU, 8L));
        assertThat(decision.effect().generationRises()).containsExactly(entry(10L, 2));
    }

    @Test
    void writesTheNetEffectOfAClaimAndItsRelease() {
        host(terms(8), 2);
        var decision = decideAll(replace(VM, take(HOST, "VCPU", 5)), replace(VM));
        assertThat(decision.results()).containsExactly(CLAIMED, CLAIMED);
        assertThat(decision.effect().usedChanges()).isEmpty();
        assertThat(decision.effect().consumers()).isEmpty();
        assertThat(decision.effect().generationRises()).containsExactly(entry(10L, 2));
    }

    @Test
    void deletesNoConsumerThatItHasNotLocked() {
        var decision = decideAll(new Claim.Replace(List.of(wants(VM, new GenerationCheck.IsNew()))));
        assertThat(decision.results()).containsExactly(CLAIMED);
        assertThat(decision.effect().isNothing()).isTrue();
    }

    @Test
    void acceptsOnlyOneOfTwoClaimsForANewConsumer() {
        host(terms(8), 0);
        var first = new Claim.Replace(List.of(wants(VM, new GenerationCheck.IsNew(), take(HOST, "VCPU", 1))));
        assertThat(decide(first, first))
                .containsExactly(CLAIMED, new ClaimResult.ConsumerGenerationConflict(VM, 1, null));
    }

    /** The consumer does not exist, so it is not locked, and another replica may be creating it. */
    @Test
    void writesNothingForAnUnknownConsumerWithoutAllocations() {
        host(terms(8), 0);
        var decision = decideAll(replace(VM));
        assertThat(decision.results()).containsExactly(CLAIMED);
        assertThat(decision.effect().isNothing()).isTrue();
    }

    @Test
    void writesNothingOfARefusedClaim() {
        host(terms(8), 0);
        var decision = decideAll(new Claim.Replace(List.of(
                wants(VM, new GenerationCheck.IsNew(), take(HOST, "VCPU", 1)),
                wants(OTHER_VM, new GenerationCheck.IsNew(), take(HOST, "VCPU", 100)))));
        assertThat(decision.results()).containsExactly(new ClaimResult.CapacityExceeded("VCPU", HOST));
        assertThat(decision.effect().isNothing()).isTrue();
    }

    // ---- consumers

    @ParameterizedTest(name = "consumer in generation {0}, client says {1}")
    @CsvSource(nullValues = "-", value = {"-, -, true", "-, 0, false", "3, 3, true", "3, 2, false", "3, -, false"})
    void requiresTheConsumersGeneration(Integer actual, Long given, boolean right) {
        host(terms(8), 1);
        if (actual != null) {
            holds(VM, actual, HOST_VCPU, 1);
        }
        GenerationCheck check = given == null ? new GenerationCheck.IsNew() : new GenerationCheck.Is(given);
        assertThat(decide(new Claim.Replace(List.of(wants(VM, check, take(HOST, "VCPU", 2))))).getFirst())
                .isEqualTo(right ? CLAIMED : new ClaimResult.ConsumerGenerationConflict(VM, actual, given));
    }

    @Test
    void raisesTheConsumersGenerationAndSetsItsNewOwner() {
        host(terms(8), 1);
        holds(VM, 3, HOST_VCPU, 1);
        var claim = new ConsumerClaim(
                VM, new GenerationCheck.Is(3), "new-project", "new-user", null, List.of(take(HOST, "VCPU", 2)));
        assertThat(decideAll(new Claim.Replace(List.of(claim))).effect().consumers())
                .containsExactly(
                        entry(VM, Optional.of(new Consumer(4, "new-project", "new-user", "INSTANCE", Fence.NONE))));
    }

    @Test
    void aMoveRaisesOnlyTheGenerationOfTheNewProvider() {
        host(terms(8), 5);
        otherHost(terms(8), 0);
        holds(VM, 3, HOST_VCPU, 5);
        var effect = decideAll(replace(VM, take(OTHER_HOST, "VCPU", 5))).effect();
        assertThat(effect.generationRises()).containsExactly(entry(20L, 1));
        assertThat(effect.usedChanges()).containsOnly(entry(HOST_VCPU, -5L), entry(OTHER_VCPU, 5L));
        assertThat(effect.removedAllocations().get(VM)).containsExactly(HOST_VCPU);
        assertThat(effect.changedProviders()).containsOnly(10L, 20L);
    }

    @Test
    void aReleaseRaisesTheGenerationsOfItsProviders() {
        host(terms(8), 5);
        holds(VM, 3, HOST_VCPU, 5);
        var effect = decideAll(new Claim.Replace(List.of(wants(VM, new GenerationCheck.Is(3))))).effect();
        assertThat(effect.generationRises()).containsExactly(entry(10L, 1));
        assertThat(effect.consumers()).containsExactly(entry(VM, Optional.empty()));
    }

    // ---- names

    @Test
    void checksProviderThenResourceClassThenInventory() {
        host(terms(8), 0);
        UUID nowhere = new UUID(9, 9);
        assertThat(
                decide(
                        replace(VM, take(nowhere, "NOTHING", 1)),
                        replace(VM, take(HOST, "NOTHING", 1)),
                        replace(VM, take(HOST, "MEMORY_MB", 1)),
                        replace(VM, take(HOST, "MEMORY_MB", 1), take(HOST, "VCPU", 1))))
                .containsExactly(
                        new ClaimResult.NoSuchProvider(nowhere),
                        new ClaimResult.NoSuchResourceClass("NOTHING"),
                        new ClaimResult.NoInventory(List.of("MEMORY_MB"), List.of(HOST)),
                        new ClaimResult.NoInventory(List.of("MEMORY_MB"), List.of(HOST)));
    }

    // ---- reshape

    @Test
    void movesAnInventoryWithItsAllocationsAndRaisesGenerations() {
        host(terms(8), 5);
        otherHost(null, 0);
        holds(VM, 3, HOST_VCPU, 5);
        var decision = decideAll(new Claim.Reshape(
                List.of(
                        new InventoryClaim(HOST, 7, Map.of()),
                        new InventoryClaim(OTHER_HOST, 7, Map.of("VCPU", terms(8)))),
                List.of(wants(VM, new GenerationCheck.Is(3), take(OTHER_HOST, "VCPU", 5)))));
        assertThat(decision.results()).containsExactly(CLAIMED);
        var effect = decision.effect();
        assertThat(effect.removedInventories()).containsExactly(HOST_VCPU);
        assertThat(effect.newInventories()).containsExactly(entry(OTHER_VCPU, terms(8)));
        // The emptied host's generation rises once; the other's for widening, allocating and the last replacement.
        assertThat(effect.generationRises()).containsOnly(entry(10L, 1), entry(20L, 3));
    }

    @Test
    void keepsInventoriesThatAreStillInUse() {
        host(terms(8), 5);
        otherHost(null, 0);
        holds(VM, 3, HOST_VCPU, 4);
        var decision = decideAll(new Claim.Reshape(
                List.of(
                        new InventoryClaim(HOST, 7, Map.of()),
                        new InventoryClaim(OTHER_HOST, 7, Map.of("VCPU", terms(8)))),
                List.of(wants(VM, new GenerationCheck.Is(3), take(OTHER_HOST, "VCPU", 4)))));
        assertThat(decision.results()).containsExactly(new ClaimResult.InventoryInUse(List.of("VCPU"), HOST));
        assertThat(decision.effect().isNothing()).isTrue();
    }

    @Test
    void aReshapeChecksTheProvidersGenerationFirst() {
        host(terms(8), 0);
        assertThat(decide(new Claim.Reshape(List.of(new InventoryClaim(HOST, 6, Map.of())), List.of())))
                .containsExactly(new ClaimResult.ProviderGenerationConflict(HOST, 7, 6));
        assertThat(decide(new Claim.Reshape(List.of(new InventoryClaim(OTHER_HOST, 6, Map.of())), List.of())))
                .containsExactly(new ClaimResult.NoSuchReshapedProvider(OTHER_HOST));
    }

    @Test
    void aReshapeSeesTheGenerationRaisedByAnEarlierClaim() {
        host(terms(8), 0);
        assertThat(decide(
                replace(VM, take(HOST, "VCPU", 1)),
                new Claim.Reshape(
                        List.of(new InventoryClaim(HOST, 7, Map.of("VCPU", terms(9)))),
                        List.of())))
                .containsExactly(CLAIMED, new ClaimResult.ProviderGenerationConflict(HOST, 8, 7));
    }

    @Test
    void aReshapeMayLowerCapacityBelowTheUsageOfOtherConsumers() {
        host(terms(8), 5);
        var effect = decideAll(
                new Claim.Reshape(
                        List.of(new InventoryClaim(HOST, 7, Map.of("VCPU", terms(2), "MEMORY_MB", terms(64)))),
                        List.of()))
                .effect();
        assertThat(effect.changedInventories()).containsExactly(entry(HOST_VCPU, terms(2)));
        assertThat(effect.newInventories()).containsExactly(entry(HOST_MEMORY, terms(64)));
        assertThat(effect.generationRises()).containsExactly(entry(10L, 2));
    }

    @ParameterizedTest(name = "{0} VCPU beside 6 of 8: {1}")
    @CsvSource({"2, true", "3, false"})
    void aNewInventoryCountsExistingAllocations(long amount, boolean allowed) {
        restoredInPart(6);
        assertThat(decide(vcpusForOtherHost(wants(VM, new GenerationCheck.IsNew(), take(OTHER_HOST, "VCPU", amount)))))
                .containsExactly(allowed ? CLAIMED : new ClaimResult.CapacityExceeded("VCPU", OTHER_HOST));
    }

    @Test
    void aNewInventoryReleasesReplacedAllocations() {
        restoredInPart(6);
        holds(VM, 3, OTHER_VCPU, 4);
        assertThat(decide(
                vcpusForOtherHost(wants(VM, new GenerationCheck.Is(3), take(OTHER_HOST, "VCPU", 5))),
                replace(OTHER_VM, take(OTHER_HOST, "VCPU", 2)),
                replace(OTHER_VM, take(OTHER_HOST, "VCPU", 1))))
                .containsExactly(CLAIMED, new ClaimResult.CapacityExceeded("VCPU", OTHER_HOST), CLAIMED);
    }

    @Test
    void releasesAllocationsBeforeTheirInventoryIsCreated() {
        restoredInPart(6);
        holds(VM, 3, OTHER_VCPU, 4);
        assertThat(decide(
                replace(VM),
                new Claim.Reshape(
                        List.of(new InventoryClaim(OTHER_HOST, 8, Map.of("VCPU", terms(8)))),
                        List.of(wants(OTHER_VM, new GenerationCheck.IsNew(), take(OTHER_HOST, "VCPU", 6))))))
                .containsExactly(CLAIMED, CLAIMED);
    }

    // ---- helpers

    private static Claim vcpusForOtherHost(ConsumerClaim consumer) {
        return new Claim.Reshape(
                List.of(new InventoryClaim(OTHER_HOST, 7, Map.of("VCPU", terms(8)))), List.of(consumer));
    }

    private void host(Inventory vcpu, long used) {
        provider(10, HOST, vcpu, used);
    }

    private void otherHost(Inventory vcpu, long used) {
        provider(20, OTHER_HOST, vcpu, used);
    }

    /** Adds a host with allocations of VCPU and without an inventory of it, as after a partial restore. */
    private void restoredInPart(long vcpus) {
        providers.put(OTHER_HOST, new LockedProvider(20, OTHER_HOST, 7, Map.of(), Map.of(VCPU, vcpus)));
    }

    private void provider(long id, UUID uuid, Inventory vcpu, long used) {
        providers.put(uuid, new LockedProvider(
                id, uuid, 7, vcpu == null ? Map.of() : Map.of(VCPU, new LockedInventory(vcpu, used)), Map.of()));
    }

    private void holds(UUID consumer, int generation, AllocationKey key, long units) {
        holdings.put(
                consumer,
                new Holding(new Consumer(generation, "project", "user", "INSTANCE", Fence.NONE), Map.of(key, units)));
    }

    private static Inventory terms(int total) {
        return new Inventory(total, 0, 1, 1000, 1, 1.0);
    }

    private static Amount take(UUID provider, String resourceClass, long amount) {
        return new Amount(provider, resourceClass, amount);
    }

    private static ConsumerClaim wants(UUID consumer, GenerationCheck check, Amount... amounts) {
        return new ConsumerClaim(consumer, check, "project", "user", "INSTANCE", Arrays.asList(amounts));
    }

    private static Claim replace(UUID consumer, Amount... amounts) {
        return new Claim.Replace(List.of(wants(consumer, new GenerationCheck.Unchecked(), amounts)));
    }

    private List<ClaimResult> decide(Claim... claims) {
        return decideAll(claims).results();
    }

    private ClaimRules.Decision decideAll(Claim... claims) {
        var rows = new LockedRows(holdings, Map.of(), providers, Map.of("VCPU", VCPU, "MEMORY_MB", MEMORY_MB));
        return ClaimRules.decide(rows, Arrays.asList(claims));
    }
}
