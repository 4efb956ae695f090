package io.berth.placement.ledger;

import static io.berth.deploy.process.Await.eventually;
import static io.berth.placement.ProviderRows.aProvider;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.database.SqlFault;
import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.wire.Wire;
import io.berth.placement.ProviderRows;
import io.berth.placement.ledger.claim.Claim;
import io.berth.placement.ledger.claim.ClaimResult;
import io.berth.placement.ledger.claim.ConsumerClaim;
import io.berth.placement.ledger.claim.ConsumerClaim.Amount;
import io.berth.placement.ledger.claim.ConsumerClaim.GenerationCheck;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests how many claims may wait, how long, and how often one is retried. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class LedgerLimitsIT {
    private static final Duration ANSWER_MAX = Duration.ofMinutes(5);
    private static final ClaimResult CLAIMED = new ClaimResult.Claimed();
    private static final Duration AT_ONCE = Duration.ofMillis(1);
    /** Connections of one claim: the first, and two others. */
    private static final int CONNECTIONS = 3;

    @Inject
    Pool pool;

    @Inject
    Vertx vertx;

    private final Set<Integer> broken = new HashSet<>();
    private LedgerTables tables;
    private UUID locked;
    private OtherTransaction other;
    private LedgerReplica replica;

    @BeforeEach
    void begin() {
        tables = new LedgerTables(pool);
        locked = host();
        other = new OtherTransaction(pool).lock(locked);
    }

    @AfterEach
    void end() {
        other.close();
        replica.close();
    }

    @Test
    void acceptsOtherClaimsWhenHalfOfTheQueueWaitsForALock() {
        UUID free = host();
        replica = new LedgerReplica(vertx, "locked-out", new Ledger.Limits(16, 4, 3, 10));
        List<Uni<ClaimResult>> waiting = new ArrayList<>();
        waiting.add(replica.begin(newVm(locked)));
        eventually("the claim waits in memory", () -> replica.ledger.queueLength() == 1);
        waiting.add(replica.begin(newVm(locked)));
        // This claim begins after that one, when it is known which lock that one waits for.
        assertThat(replica.claim(newVm(free))).isEqualTo(CLAIMED);
        Uni<ClaimResult> third = replica.begin(newVm(locked));
        assertThat(replica.claim(newVm(free))).isEqualTo(CLAIMED);
        other.close();
        assertThat(third.await().atMost(ANSWER_MAX)).isEqualTo(new ClaimResult.Unavailable(
                "Too many claims wait for a locked provider or consumer."));
        assertThat(results(waiting)).hasSize(2).containsOnly(CLAIMED);
        assertThat(ProviderRows.used(pool, locked, "VCPU")).isEqualTo(2);
    }

    @Test
    void refusesAQueuedClaimAfterTheTimeoutAndNeverRunsIt() {
        replica = LedgerReplica.patient(vertx, "no-turn", new Ledger.Limits(1, 100, 1, 3, AT_ONCE));
        var running = replica.begin(newVm(locked)).subscribeAsCompletionStage();
        replica.awaitWaiting();
        var waiting = replica.begin(newVm(locked)).subscribeAsCompletionStage();
        awaitLateResponses(running, waiting);
        assertThat(running.join()).isEqualTo(new ClaimResult.Indeterminate(
                "The database did not respond within 0 seconds, so the claim may be committed or not."));
        assertThat(waiting.join()).isEqualTo(new ClaimResult.Unavailable(
                "The claim waited 0 seconds for a transaction; nothing was written."));
        other.close();
        eventually("the first claim is committed", () -> ProviderRows.used(pool, locked, "VCPU") == 1);
        assertThat(replica.claim(newVm(locked))).isEqualTo(CLAIMED);
        assertThat(ProviderRows.used(pool, locked, "VCPU")).isEqualTo(2);
    }

    /** Waiting claims may use an eighth of the heap; a single claim may use more. */
    @Test
    void limitsWaitingAmountsByTheHeapSize() {
        UUID unknown = UUID.randomUUID();
        replica = LedgerReplica.patient(vertx, "heavy", new Ledger.Limits(1, 1_000, 1, 3, AT_ONCE));
        long heap = Runtime.getRuntime().maxMemory();
        assertThat(replica.claim(heavy(unknown, heap / 1_900))).as("alone")
                .isEqualTo(new ClaimResult.NoSuchProvider(unknown));
        replica.begin(newVm(locked));
        replica.awaitWaiting();
        Claim tenth = heavy(unknown, heap / 20_000);
        List<CompletableFuture<ClaimResult>> waiting = new ArrayList<>();
        var last = replica.begin(tenth).subscribeAsCompletionStage();
        while (!last.isDone() && waiting.size() < 100) {
            waiting.add(last);
            last = replica.begin(tenth).subscribeAsCompletionStage();
        }
        assertThat(waiting).as("claims that wait at once").hasSizeBetween(9, 10);
        assertThat(last.join()).isEqualTo(
                new ClaimResult.Unavailable("The waiting claims have too many allocations in total."));
        awaitLateResponses(waiting.toArray(CompletableFuture[]::new));
        assertThat(replica.begin(tenth).subscribeAsCompletionStage().isDone()).as("refused at once").isFalse();
    }

    /** The client sends the next claim as soon as it has the first response. */
    @Test
    void acceptsTheNextHeavyClaimAfterTheFirstResponse() {
        UUID unknown = UUID.randomUUID();
        replica = LedgerReplica.patient(vertx, "heavy-next", new Ledger.Limits(1, 1_000, 1, 3));
        Claim heavy = heavy(unknown, Runtime.getRuntime().maxMemory() / 1_900);
        assertThat(replica.ledger.submit(heavy).chain(() -> replica.ledger.submit(heavy)).await().atMost(ANSWER_MAX))
                .isEqualTo(new ClaimResult.NoSuchProvider(unknown));
    }

    @Test
    void retriesOnTwoMoreConnectionsIfOneBreaksBeforeTheCommit() {
        replica = LedgerReplica.patient(vertx, "broken", Ledger.Limits.DEFAULT);
        Uni<ClaimResult> answer = replica.begin(newVm(locked));
        for (int connection = 1; connection < CONNECTIONS; connection++) {
            breakConnection("broken");
        }
        other.close();
        assertThat(answer.await().atMost(ANSWER_MAX)).isEqualTo(CLAIMED);
        assertThat(replica.repeats("reconnected")).isEqualTo(CONNECTIONS - 1);
        assertThat(ProviderRows.used(pool, locked, "VCPU")).isEqualTo(1);
    }

    @Test
    void reportsUnreachableIfTheLastConnectionBreaksBeforeTheCommit() {
        replica = LedgerReplica.patient(vertx, "thrice-broken", Ledger.Limits.DEFAULT);
        Uni<ClaimResult> answer = replica.begin(newVm(locked));
        for (int connection = 1; connection <= CONNECTIONS; connection++) {
            breakConnection("thrice-broken");
        }
        assertThatThrownBy(() -> answer.await().atMost(ANSWER_MAX)).matches(SqlFault.UNREACHABLE::isKindOf);
        assertThat(ProviderRows.used(pool, locked, "VCPU")).isZero();
    }

    @Test
    void reportsUnreachableIfThereIsNoConnection() {
        try (var wire = Wire.to(PostgresForTests.port())) {
            replica = new LedgerReplica(vertx, "cut", Ledger.Limits.DEFAULT, wire.port());
            wire.cut();
            assertThatThrownBy(() -> replica.claim(newVm(locked))).matches(SqlFault.UNREACHABLE::isKindOf);
            assertThat(replica.repeats("reconnected")).isEqualTo(CONNECTIONS - 1);
            wire.pass();
            assertThat(replica.claim(newVm(host()))).isEqualTo(CLAIMED);
        }
    }

    // ---- helpers

    private UUID host() {
        return aProvider().with("VCPU", 1_000).insert(pool);
    }

    private static Claim newVm(UUID provider) {
        return new Claim.Replace(List.of(newConsumer(List.of(new Amount(provider, "VCPU", 1)))));
    }

    private static ConsumerClaim newConsumer(List<Amount> amounts) {
        return new ConsumerClaim(UUID.randomUUID(), new GenerationCheck.IsNew(), "p", "u", "INSTANCE", amounts);
    }

    /** Returns a claim with this number of rows, which share their memory. */
    private static Claim heavy(UUID provider, long rows) {
        List<Amount> amounts = List.copyOf(Collections.nCopies(1_000, new Amount(provider, "VCPU", 1)));
        return new Claim.Replace(
                Stream.generate(() -> newConsumer(amounts)).limit(rows / (1 + amounts.size())).toList());
    }

    /** Breaks the connection on which the claim waits for a lock. */
    private void breakConnection(String name) {
        eventually("the claim waits on another connection", () -> !broken.containsAll(tables.waiting(name)));
        broken.addAll(tables.waiting(name));
        tables.kill(name);
    }

    private void awaitLateResponses(CompletableFuture<?>... answers) {
        eventually("the claims get a response", () -> {
            replica.ledger.completeLate();
            return CompletableFuture.allOf(answers).isDone();
        });
    }

    private static List<ClaimResult> results(List<Uni<ClaimResult>> answers) {
        return answers.stream().map(answer -> answer.await().atMost(ANSWER_MAX)).toList();
    }
}
