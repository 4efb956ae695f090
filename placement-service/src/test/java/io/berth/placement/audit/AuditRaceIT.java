package io.berth.placement.audit;

import static io.berth.placement.ProviderRows.aProvider;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.Await;
import io.berth.deploy.process.Seed;
import io.berth.placement.ProviderRows;
import io.berth.placement.ledger.Ledger;
import io.berth.placement.ledger.claim.Claim;
import io.berth.placement.ledger.claim.ClaimResult;
import io.berth.placement.ledger.claim.ConsumerClaim;
import io.berth.placement.ledger.claim.ConsumerClaim.Amount;
import io.berth.placement.ledger.claim.ConsumerClaim.GenerationCheck;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Runs audits that heal and undo while claims and releases run on the same few hosts. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class AuditRaceIT {
    private static final Duration ANSWER_MAX = Duration.ofMinutes(5);
    private static final int CAPACITY = 20;
    private static final int HOSTS = 3;
    private static final int ROUNDS = 12;
    private static final int CLAIMANTS = 4;

    @Inject
    Pool pool;

    @Inject
    Ledger ledger;

    @Inject
    Audits audits;

    @Test
    void healingAndUndoKeepCapacityDuringConcurrentClaims() throws Exception {
        long seed = Seed.of(AuditRaceIT.class);
        List<UUID> hosts = new ArrayList<>();
        for (int i = 0; i < HOSTS; i++) {
            hosts.add(aProvider().with("VCPU", CAPACITY).insert(pool));
        }
        var running = new AtomicBoolean(true);
        int healed = 0;
        int undone = 0;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> claimants = new ArrayList<>();
            for (int i = 0; i < CLAIMANTS; i++) {
                var random = new SplittableRandom(seed + i);
                claimants.add(threads.submit(() -> claimAndRelease(hosts, random, running)));
            }
            long began = System.nanoTime();
            // Concurrent claims may leave a round nothing to heal, or prevent the undo of what it healed.
            for (int round = 0; round < ROUNDS || (healed == 0 || undone == 0)
                    && System.nanoTime() - began < Await.WAIT_MAX.toNanos(); round++) {
                // All consumers in one half of the uuid range count as unknown; claims of the other half continue.
                var known = new AuditRequest.KnownConsumers(new UUID[0], null,
                        UUID.fromString("80000000-0000-0000-0000-000000000000"), 0);
                var kinds = Set.of(FindingKind.UNKNOWN_CONSUMER, FindingKind.USED_DIFFERS, FindingKind.EMPTY_CONSUMER);
                var all = findingIds(new AuditRequest(kinds, 10_000, known, new AuditRequest.Apply.Nothing()), hosts);
                var request = new AuditRequest(kinds, 10_000, known, new AuditRequest.Apply.Only(all));
                var outcome = (AuditOutcome.Healed) audits.apply(request, "race").await().atMost(ANSWER_MAX);
                healed += outcome.healed().size();
                if (outcome.id() != null
                        && audits.undo(outcome.id()).await().atMost(ANSWER_MAX) instanceof AuditOutcome.Undone) {
                    undone++;
                }
            }
            running.set(false);
            for (Future<?> claimant : claimants) {
                claimant.get();
            }
        }
        assertThat(healed).as("seed %d", seed).isPositive();
        assertThat(undone).as("seed %d", seed).isPositive();
        for (UUID host : hosts) {
            long used = ProviderRows.used(pool, host, "VCPU");
            assertThat(used).as("seed %d", seed).isBetween(0L, (long) CAPACITY);
            assertThat(ProviderRows.allocated(pool, host, "VCPU")).as("seed %d", seed).isEqualTo(used);
        }
    }

    /** Ids of findings about these hosts only; rows of other tests are ignored. */
    private Set<String> findingIds(AuditRequest request, List<UUID> hosts) {
        var plan = (AuditOutcome.Plan) audits.plan(request).await().atMost(ANSWER_MAX);
        Set<String> ids = new java.util.HashSet<>();
        for (Finding finding : plan.findings()) {
            // Counters must never differ, however claims and audits interleave.
            if (hosts.stream().anyMatch(host -> finding.detail().contains(host.toString()))) {
                assertThat(finding.kind()).isEqualTo(FindingKind.UNKNOWN_CONSUMER);
                ids.add(finding.id());
            }
        }
        return ids;
    }

    private void claimAndRelease(List<UUID> hosts, SplittableRandom random, AtomicBoolean running) {
        List<UUID> held = new ArrayList<>();
        while (running.get()) {
            if (held.size() > 12 || !held.isEmpty() && random.nextInt(3) == 0) {
                ledger.submit(new Claim.Release(held.remove(random.nextInt(held.size())))).await().atMost(ANSWER_MAX);
            } else {
                var vm = new UUID(random.nextLong(), random.nextLong());
                var amount = new Amount(hosts.get(random.nextInt(HOSTS)), "VCPU", 1 + random.nextInt(3));
                ClaimResult result = ledger.submit(new Claim.Replace(List.of(new ConsumerClaim(
                        vm, new GenerationCheck.IsNew(), "p", "u", null, List.of(amount))))).await().atMost(ANSWER_MAX);
                if (result instanceof ClaimResult.Claimed) {
                    held.add(vm);
                }
            }
        }
    }
}
