package io.berth.placement.ledger;

import static io.berth.placement.ProviderRows.aProvider;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.Seed;
import io.berth.placement.fleet.Inventory;
import io.berth.placement.ledger.claim.Claim;
import io.berth.placement.ledger.claim.ClaimResult;
import io.berth.placement.ledger.claim.ConsumerClaim;
import io.berth.placement.ledger.claim.ConsumerClaim.Amount;
import io.berth.placement.ledger.claim.ConsumerClaim.GenerationCheck;
import io.berth.placement.ledger.claim.InventoryClaim;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Sends random claims on a few small hosts through two replicas, and kills backends meanwhile in one of the tests. The
 * tables must satisfy the invariants after every step.
 */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class LedgerSimulationIT {
    private static final Duration ANSWER_MAX = Duration.ofMinutes(5);
    private static final int WAVES = 30;
    private static final int HOSTS = 5;
    private static final int CONSUMERS = 20;
    private static final int VCPUS = 16;
    private static final double RATIO = 1.5;
    private static final ClaimResult CLAIMED = new ClaimResult.Claimed();

    @Inject
    Pool pool;

    @Inject
    Vertx vertx;

    private final List<UUID> hosts = new ArrayList<>();
    private final List<UUID> consumers = new ArrayList<>();
    private Map<UUID, Integer> generations = new HashMap<>();
    /** Units by consumer and host, after the previous step. */
    private Map<UUID, Map<UUID, Long>> held = new HashMap<>();

    @Test
    void tablesAgreeWithResultsOfRandomClaims() {
        long seed = Seed.of(LedgerSimulationIT.class);
        var random = new Random(seed);
        prepare();
        int accepted = 0;
        try (var a = new LedgerReplica(vertx, "simulation-a", new Ledger.Limits(8, 1000, 2, 10));
                var b = new LedgerReplica(vertx, "simulation-b", new Ledger.Limits(3, 1000, 2, 10))) {
            for (int step = 0; step < 150; step++) {
                List<Claim> claims = new ArrayList<>();
                List<Uni<ClaimResult>> answers = new ArrayList<>();
                for (int i = 1 + random.nextInt(12); i > 0; i--) {
                    Claim claim = randomClaim(random);
                    claims.add(claim);
                    answers.add((random.nextBoolean() ? a : b).begin(claim));
                }
                List<ClaimResult> results = answers.stream().map(answer -> answer.await().atMost(ANSWER_MAX)).toList();
                assertThat(results).as("seed %d step %d", seed, step)
                        .noneMatch(ClaimResult.Unavailable.class::isInstance)
                        .noneMatch(ClaimResult.Indeterminate.class::isInstance);
                accepted += (int) results.stream().filter(CLAIMED::equals).count();
                checkStep("seed " + seed + " step " + step, claims, results);
            }
        }
        assertThat(accepted).as("claims accepted").isGreaterThan(150);
    }

    @Test
    void losesAndDuplicatesNothingWhenBackendsAreKilled() throws InterruptedException {
        long seed = Seed.of(LedgerSimulationIT.class);
        var random = new Random(seed);
        UUID left = aProvider().with("VCPU", 1_000_000).insert(pool);
        UUID right = aProvider().with("VCPU", 1_000_000).insert(pool);
        Map<UUID, Uni<ClaimResult>> answers = new HashMap<>();
        int killed = 0;
        try (var replica = new LedgerReplica(vertx, "killed-ledger", new Ledger.Limits(16, 4000, 2, 10))) {
            for (int wave = 0; wave < WAVES || killed == 0; wave++) {
                assertThat(wave).as("waves before a busy backend was killed").isLessThan(100 * WAVES);
                for (int i = 0; i < 60; i++) {
                    UUID vm = UUID.randomUUID();
                    answers.put(vm, replica.begin(new Claim.Replace(
                            List.of(wants(vm, new Amount(left, "VCPU", 1), new Amount(right, "VCPU", 2))))));
                }
                Thread.sleep(random.nextInt(20));
                killed += pool.query("""
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                         WHERE application_name = 'killed-ledger' AND state <> 'idle'
                        """).execute().await().atMost(ANSWER_MAX).rowCount();
                if (wave % 3 == 0) {
                    claimUntilAccepted(replica, wants(UUID.randomUUID(), new Amount(left, "VCPU", 1)));
                }
            }
            int claimed = 0;
            Map<String, Integer> failures = new HashMap<>();
            for (var answer : answers.entrySet()) {
                ClaimResult result;
                try {
                    result = answer.getValue().await().atMost(ANSWER_MAX);
                } catch (RuntimeException broken) {
                    result = new ClaimResult.Unavailable(broken.getMessage());
                    failures.merge(String.valueOf(broken.getMessage()), 1, Integer::sum);
                }
                Map<UUID, Long> holds = new LedgerTables(pool).heldBy(answer.getKey());
                switch (result) {
                    case ClaimResult.Claimed _ -> {
                        claimed++;
                        assertThat(holds).as("acknowledged, seed %d", seed).isEqualTo(Map.of(left, 1L, right, 2L));
                    }
                    case ClaimResult.Settled settled -> assertThat(settled).isNull();
                    case ClaimResult.Indeterminate _ -> assertThat(holds).as("indeterminate, seed %d", seed)
                            .isIn(Map.of(), Map.of(left, 1L, right, 2L));
                    case ClaimResult.Unavailable _ -> assertThat(holds).as("unavailable, seed %d", seed).isEmpty();
                    case ClaimResult.Refused refused -> assertThat(refused).as("seed %d", seed).isNull();
                }
            }
            System.out.println("backends killed " + killed + ", claims acknowledged " + claimed + " of "
                    + answers.size()
                    + ", failures " + failures);
        }
        new LedgerTables(pool).check("after the kills", List.of(left, right), List.of());
    }

    /** Repeats a claim until it is accepted, because the ledger may need time to recover from the killed backends. */
    private static void claimUntilAccepted(LedgerReplica replica, ConsumerClaim wanted) {
        ClaimResult result = null;
        long until = System.nanoTime() + ANSWER_MAX.toNanos();
        while (!CLAIMED.equals(result)) {
            assertThat(System.nanoTime()).as("result of the last attempt: %s", result).isLessThan(until);
            result = replica.begin(new Claim.Replace(List.of(wanted))).onFailure()
                    .recoverWithItem(broken -> new ClaimResult.Unavailable(broken.getMessage())).await()
                    .atMost(ANSWER_MAX);
        }
    }

    // ---- what must hold

    private void checkStep(String when, List<Claim> claims, List<ClaimResult> results) {
        var tables = new LedgerTables(pool);
        tables.check(when, hosts, consumers);
        Map<UUID, Integer> generationsNow = tables.generations(hosts);
        generations.forEach((host, before) -> assertThat(generationsNow.get(host))
                .as("%s generation of %s", when, host).isGreaterThanOrEqualTo(before));
        generations = generationsNow;

        Map<UUID, Map<UUID, Long>> now = new HashMap<>();
        for (UUID consumer : consumers) {
            now.put(consumer, tables.heldBy(consumer));
        }
        for (UUID consumer : consumers) {
            Set<Map<UUID, Long>> possible = new HashSet<>();
            boolean touched = false;
            for (int i = 0; i < claims.size(); i++) {
                Map<UUID, Long> wanted = wantedFor(claims.get(i), consumer);
                if (wanted != null && results.get(i).equals(CLAIMED)) {
                    touched = true;
                    possible.add(wanted);
                }
            }
            if (!touched) {
                possible.add(held.getOrDefault(consumer, Map.of()));
            }
            assertThat(now.get(consumer)).as("%s holdings of %s", when, consumer).isIn(possible);
        }
        held = now;
    }

    // ---- the workload

    private void prepare() {
        for (int i = 0; i < HOSTS; i++) {
            hosts.add(aProvider().with("VCPU", VCPUS).ratio(RATIO).insert(pool));
        }
        for (int i = 0; i < CONSUMERS; i++) {
            consumers.add(UUID.randomUUID());
        }
    }

    private Claim randomClaim(Random random) {
        int kind = random.nextInt(10);
        if (kind == 0) {
            return new Claim.Release(any(random, consumers));
        }
        if (kind == 1) {
            // Removes or adds a second class, often with an old generation.
            UUID host = any(random, hosts);
            Map<String, Inventory> inventories = new LinkedHashMap<>();
            inventories.put("VCPU", new Inventory(VCPUS, 0, 1, 1000, 1, RATIO));
            if (random.nextBoolean()) {
                inventories.put("MEMORY_MB", new Inventory(64, 0, 1, 1000, 1, 1.0));
            }
            long generation = generations.getOrDefault(host, 0);
            List<ConsumerClaim> moved =
                    random.nextBoolean() ? List.of() : List.of(randomConsumer(random, any(random, consumers)));
            return new Claim.Reshape(List.of(new InventoryClaim(host, generation, inventories)), moved);
        }
        UUID first = any(random, consumers);
        UUID second = any(random, consumers);
        return kind < 8 || first.equals(second)
                ? new Claim.Replace(List.of(randomConsumer(random, first)))
                : new Claim.Replace(List.of(randomConsumer(random, first), randomConsumer(random, second)));
    }

    private ConsumerClaim randomConsumer(Random random, UUID consumer) {
        List<Amount> amounts = new ArrayList<>();
        Set<UUID> used = new HashSet<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            UUID host = any(random, hosts);
            if (used.add(host)) {
                amounts.add(new Amount(host, "VCPU", 1 + random.nextInt(9)));
            }
        }
        GenerationCheck check = switch (random.nextInt(4)) {
            case 0 -> new GenerationCheck.IsNew();
            case 1 -> new GenerationCheck.Is(1 + random.nextInt(3));
            default -> new GenerationCheck.Unchecked();
        };
        return new ConsumerClaim(consumer, check, "p", "u", null, amounts);
    }

    private static ConsumerClaim wants(UUID consumer, Amount... amounts) {
        return new ConsumerClaim(consumer, new GenerationCheck.IsNew(), "p", "u", null, List.of(amounts));
    }

    /** Returns the consumer's allocations after the claim; null if the claim is not about the consumer. */
    private static Map<UUID, Long> wantedFor(Claim claim, UUID consumer) {
        if (claim instanceof Claim.Release release) {
            return release.consumer().equals(consumer) ? Map.of() : null;
        }
        for (ConsumerClaim wanted : claim.requestedAllocations()) {
            if (wanted.consumer().equals(consumer)) {
                Map<UUID, Long> units = new HashMap<>();
                wanted.amounts().forEach(amount -> units.put(amount.provider(), amount.amount()));
                return units;
            }
        }
        return null;
    }

    private static UUID any(Random random, List<UUID> list) {
        return list.get(random.nextInt(list.size()));
    }
}
