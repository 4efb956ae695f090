package io.berth.placement.ledger;

import static io.berth.deploy.process.Await.eventually;
import static io.berth.placement.ProviderRows.aProvider;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.wire.Wire;
import io.berth.placement.ProviderRows;
import io.berth.placement.ledger.claim.Claim;
import io.berth.placement.ledger.claim.ClaimResult;
import io.berth.placement.ledger.claim.ConsumerClaim;
import io.berth.placement.ledger.claim.ConsumerClaim.Amount;
import io.berth.placement.ledger.claim.ConsumerClaim.GenerationCheck;
import io.micrometer.core.instrument.Counter;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that only claims that need a row that another transaction has locked wait for it. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class LedgerLocksIT {
    private static final Duration ANSWER_MAX = Duration.ofMinutes(5);
    private static final ClaimResult CLAIMED = new ClaimResult.Claimed();

    @Inject
    Pool pool;

    @Inject
    Vertx vertx;

    private LedgerReplica replica;
    private OtherTransaction other;

    @BeforeEach
    void begin() {
        replica = new LedgerReplica(vertx, "locks", new Ledger.Limits(16, 1_000, 3, 10));
        other = new OtherTransaction(pool);
    }

    @AfterEach
    void end() {
        other.close();
        replica.close();
    }

    @Test
    void claimsOnOtherHostsContinueWhileOneHostIsLocked() {
        UUID locked = host();
        List<UUID> others = Stream.generate(this::host).limit(49).toList();
        other.lock(locked);
        List<Uni<ClaimResult>> waiting = new ArrayList<>();
        waiting.add(replica.begin(newVm(take(locked))));
        replica.awaitWaiting();
        // Begins more batches than there are workers.
        for (int wave = 0; wave < 5; wave++) {
            waiting.add(replica.begin(newVm(take(locked))));
            assertThat(results(others.stream().map(host -> replica.begin(newVm(take(host)))).toList()))
                    .containsOnly(CLAIMED);
        }
        assertThat(ProviderRows.used(pool, locked, "VCPU")).isZero();
        eventually("all of them wait in memory", () -> replica.ledger.queueLength() == 6);
        other.close();
        assertThat(results(waiting)).hasSize(6).containsOnly(CLAIMED);
        assertThat(ProviderRows.used(pool, locked, "VCPU")).isEqualTo(6);
    }

    @Test
    void claimsOnASharedProviderContinueWhileAnotherIsLocked() {
        UUID shared = host();
        UUID locked = host();
        List<UUID> others = Stream.generate(this::host).limit(20).toList();
        other.lock(locked);
        Uni<ClaimResult> waiting = replica.begin(newVm(take(shared), take(locked)));
        List<Uni<ClaimResult>> passing =
                others.stream().map(host -> replica.begin(newVm(take(shared), take(host)))).toList();
        assertThat(results(passing)).containsOnly(CLAIMED);
        other.close();
        assertThat(waiting.await().atMost(ANSWER_MAX)).isEqualTo(CLAIMED);
        assertThat(ProviderRows.used(pool, shared, "VCPU")).isEqualTo(21);
    }

    @Test
    void otherClaimsContinueWhileAConsumerIsLocked() {
        UUID host = host();
        UUID vm = UUID.randomUUID();
        assertThat(replica.claim(claim(vm, new GenerationCheck.IsNew(), take(host)))).isEqualTo(CLAIMED);
        other.run("SELECT 1 FROM consumers WHERE uuid = $1 FOR UPDATE", vm);
        Uni<ClaimResult> waiting = replica.begin(new Claim.Release(vm));
        assertThat(results(claimsOn(host))).containsOnly(CLAIMED);
        other.close();
        assertThat(waiting.await().atMost(ANSWER_MAX)).isEqualTo(CLAIMED);
        assertThat(ProviderRows.consumerExists(pool, vm)).isFalse();
    }

    /** Other transactions cannot see this lock, because the row is not committed yet. */
    @Test
    void otherClaimsContinueWhileAConsumerIsBeingInserted() {
        UUID host = host();
        UUID vm = UUID.randomUUID();
        other.run("INSERT INTO consumers (uuid, generation, project_id, user_id) VALUES ($1, 1, 'p', 'u')", vm);
        Uni<ClaimResult> waiting = replica.begin(claim(vm, new GenerationCheck.IsNew(), take(host)));
        assertThat(results(claimsOn(host))).containsOnly(CLAIMED);
        other.close();
        assertThat(waiting.await().atMost(ANSWER_MAX)).isEqualTo(CLAIMED);
        assertThat(ProviderRows.used(pool, host, "VCPU")).isEqualTo(21);
    }

    @Test
    void otherClaimsContinueWhileAConsumerLeavesALockedHost() {
        UUID locked = host();
        UUID host = host();
        UUID vm = UUID.randomUUID();
        assertThat(replica.claim(claim(vm, new GenerationCheck.IsNew(), take(locked)))).isEqualTo(CLAIMED);
        other.lock(locked);
        Uni<ClaimResult> waiting = replica.begin(claim(vm, new GenerationCheck.Is(1), take(host)));
        assertThat(results(claimsOn(host))).containsOnly(CLAIMED);
        other.close();
        assertThat(waiting.await().atMost(ANSWER_MAX)).isEqualTo(CLAIMED);
        assertThat(ProviderRows.used(pool, locked, "VCPU")).isZero();
    }

    @Test
    void refusesAClaimThatWaitedTooLongAndNeverRunsIt() {
        UUID locked = host();
        other.lock(locked);
        replica.close();
        replica = new LedgerReplica(vertx, "late", new Ledger.Limits(16, 1_000, 3, 10, Duration.ofMillis(1)));
        Uni<ClaimResult> waiting = replica.begin(newVm(take(locked)));
        // Waits until the batch is rolled back and the claim waits in memory.
        eventually("a write is queued", () -> replica.ledger.queueLength() > 0);
        replica.ledger.completeLate();
        assertThat(waiting.await().atMost(ANSWER_MAX)).isInstanceOf(ClaimResult.Unavailable.class);
        other.close();
        assertThat(replica.claim(newVm(take(locked)))).isEqualTo(CLAIMED);
        assertThat(ProviderRows.used(pool, locked, "VCPU")).isEqualTo(1);
    }

    @Test
    void countsAClaimWithALateResultOnce() throws InterruptedException {
        UUID host = host();
        replica.close();
        try (var wire = Wire.to(PostgresForTests.port())) {
            replica = new LedgerReplica(
                    vertx, "once", new Ledger.Limits(16, 1_000, 3, 10, Duration.ofMillis(1)), wire.port());
            wire.stall();
            Uni<ClaimResult> waiting = replica.begin(newVm(take(host)));
            for (int i = 0; i < 3; i++) {
                Thread.sleep(10);
                replica.ledger.completeLate();
            }
            assertThat(waiting.await().atMost(ANSWER_MAX)).isInstanceOf(ClaimResult.Indeterminate.class);
            wire.pass();
            replica.ledger.drain(null);
        }
        assertThat(replica.meters.get("berth.ledger.claims").tag("result", "indeterminate").counter().count())
                .isEqualTo(1);
        assertThat(replica.meters.get("berth.ledger.claims").counters().stream().mapToDouble(Counter::count).sum())
                .isEqualTo(1);
    }

    // ---- helpers

    private UUID host() {
        return aProvider().with("VCPU", 1_000).insert(pool);
    }

    private List<Uni<ClaimResult>> claimsOn(UUID host) {
        return Stream.generate(() -> replica.begin(newVm(take(host)))).limit(20).toList();
    }

    private static Amount take(UUID provider) {
        return new Amount(provider, "VCPU", 1);
    }

    private static Claim newVm(Amount... amounts) {
        return claim(UUID.randomUUID(), new GenerationCheck.IsNew(), amounts);
    }

    private static Claim claim(UUID consumer, GenerationCheck generation, Amount... amounts) {
        return new Claim.Replace(
                List.of(new ConsumerClaim(consumer, generation, "p", "u", "INSTANCE", Arrays.asList(amounts))));
    }

    private static List<ClaimResult> results(List<Uni<ClaimResult>> answers) {
        return answers.stream().map(answer -> answer.await().atMost(ANSWER_MAX)).toList();
    }
}
