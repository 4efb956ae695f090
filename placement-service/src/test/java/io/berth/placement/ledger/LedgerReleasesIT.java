package io.berth.placement.ledger;

import static io.berth.deploy.process.Await.eventually;
import static io.berth.placement.ProviderRows.aProvider;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.deploy.postgres.PostgresForTests;
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
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Releases all allocations of many consumers at once while other transactions write. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class LedgerReleasesIT {
    private static final Duration ANSWER_MAX = Duration.ofMinutes(5);
    private static final ClaimResult CLAIMED = new ClaimResult.Claimed();

    @Inject
    Pool pool;

    @Inject
    Vertx vertx;

    private LedgerReplica replica;
    private LedgerTables tables;

    @BeforeEach
    void begin() {
        // A release that waits for a lock waits in the database, where the test can see it.
        replica = LedgerReplica.patient(vertx, "releases", new Ledger.Limits(16, 1_000, 3, 10));
        tables = new LedgerTables(pool);
    }

    @AfterEach
    void end() {
        replica.close();
    }

    @Test
    void returnsTheRightResultForEachOfManyReleases() {
        UUID host = host();
        List<UUID> vms = Stream.generate(UUID::randomUUID).limit(20).toList();
        vms.forEach(vm -> claim(vm, take(host)));
        UUID other = UUID.randomUUID();
        List<UUID> requested = Stream.of(vms, List.of(other), vms).flatMap(List::stream).toList();
        List<ClaimResult> expected = new ArrayList<>(requested.stream()
                .map(vm -> (ClaimResult) new ClaimResult.NothingAllocated(vm))
                .toList());
        vms.forEach(vm -> expected.set(vms.indexOf(vm), CLAIMED));
        assertThat(results(requested.stream().map(this::release).toList())).isEqualTo(expected);
        assertThat(ProviderRows.used(pool, host, "VCPU")).isZero();
        tables.check("released", List.of(host), requested);
    }

    @Test
    void failsOnlyTheConsumerThatCannotBeReleased() {
        UUID host = host();
        UUID broken = host();
        UUID stuck = UUID.randomUUID();
        List<UUID> vms = Stream.generate(UUID::randomUUID).limit(10).toList();
        vms.forEach(vm -> claim(vm, take(host)));
        claim(stuck, take(host), take(broken));
        run("UPDATE inventories SET used = 0 WHERE provider_id = (SELECT id FROM resource_providers WHERE uuid = $1)",
                broken);
        List<Uni<ClaimResult>> first = vms.subList(0, 5).stream().map(this::release).toList();
        Uni<ClaimResult> failing = release(stuck);
        List<Uni<ClaimResult>> last = vms.subList(5, 10).stream().map(this::release).toList();
        assertThat(results(first)).containsOnly(CLAIMED);
        assertThat(results(last)).containsOnly(CLAIMED);
        assertThatThrownBy(() -> failing.await().atMost(ANSWER_MAX)).isNotNull();
        assertThat(tables.heldBy(stuck)).isEqualTo(Map.of(host, 1L, broken, 1L));
        assertThat(ProviderRows.used(pool, host, "VCPU")).isEqualTo(1);
    }

    /** A release removes the allocations that the consumer has once the ledger has its lock, not those before. */
    @Test
    void releasesAllocationsAddedWhileItWaited() {
        UUID host = host();
        UUID other = host();
        UUID vm = UUID.randomUUID();
        claim(vm, take(host));
        OtherTransaction writer = new OtherTransaction(pool);
        writer.run("SELECT 1 FROM consumers WHERE uuid = $1 FOR UPDATE", vm);
        Uni<ClaimResult> waiting = release(vm);
        eventually("the release waits", () -> PostgresForTests.countWaitingForLock("consumers") > 0);
        allocateTwo(writer, other, vm);
        writer.commit();
        assertThat(waiting.await().atMost(ANSWER_MAX)).isEqualTo(CLAIMED);
        assertThat(ProviderRows.used(pool, other, "VCPU")).isZero();
        tables.check("released", List.of(host, other), List.of(vm));
    }

    /** Usage is reduced from its value at the time when the release gets the lock of the provider. */
    @Test
    void reducesUsageThatWasRaisedWhileItWaited() {
        UUID host = host();
        UUID vm = UUID.randomUUID();
        UUID other = UUID.randomUUID();
        claim(vm, take(host));
        OtherTransaction writer = new OtherTransaction(pool).lock(host);
        Uni<ClaimResult> waiting = release(vm);
        eventually("the release waits", () -> PostgresForTests.countWaitingForLock("resource_providers") > 0);
        writer.run("INSERT INTO consumers (uuid, generation, project_id, user_id) VALUES ($1, 1, 'p', 'u')", other);
        allocateTwo(writer, host, other);
        writer.commit();
        assertThat(waiting.await().atMost(ANSWER_MAX)).isEqualTo(CLAIMED);
        assertThat(ProviderRows.used(pool, host, "VCPU")).isEqualTo(2);
        tables.check("released", List.of(host), List.of(vm, other));
    }

    /**
     * While the release waits for the lock, another transaction adds the inventory, with the existing allocations as
     * its usage.
     */
    @Test
    void reducesUsageOfAnInventoryAddedWhileItWaited() {
        UUID host = host();
        UUID vm = UUID.randomUUID();
        claim(vm, take(host));
        run("DELETE FROM inventories WHERE provider_id = (SELECT id FROM resource_providers WHERE uuid = $1)", host);
        OtherTransaction writer = new OtherTransaction(pool).lock(host);
        Uni<ClaimResult> waiting = release(vm);
        eventually("the release waits", () -> PostgresForTests.countWaitingForLock("resource_providers") > 0);
        writer.run("""
                INSERT INTO inventories (provider_id, resource_class_id, total, reserved, min_unit, max_unit, step_size,
                                         allocation_ratio, used)
                SELECT a.provider_id, a.resource_class_id, 100, 0, 1, 100, 1, 1, a.used
                  FROM allocations a JOIN resource_providers p ON p.id = a.provider_id
                 WHERE p.uuid = $1""", host);
        writer.commit();
        assertThat(waiting.await().atMost(ANSWER_MAX)).isEqualTo(CLAIMED);
        assertThat(ProviderRows.used(pool, host, "VCPU")).isZero();
        tables.check("released", List.of(host), List.of(vm));
    }

    @Test
    void releasesConcurrentlyWithClaimsOnTheSameHosts() {
        List<UUID> hosts = Stream.generate(this::host).limit(4).toList();
        List<Uni<ClaimResult>> answers = new ArrayList<>();
        List<UUID> vms = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            UUID vm = UUID.randomUUID();
            claim(vm, take(hosts.get(i % 4)), take(hosts.get((i + 1) % 4)));
            vms.add(vm);
        }
        try (LedgerReplica another = new LedgerReplica(vertx, "releases-2", new Ledger.Limits(16, 1_000, 3, 10))) {
            for (int i = 0; i < 40; i++) {
                Claim release = new Claim.Release(vms.get(i));
                answers.add((i % 2 == 0 ? replica : another).begin(release));
                answers.add((i % 2 == 0 ? another : replica).begin(
                        newVm(UUID.randomUUID(), take(hosts.get((i + 2) % 4)), take(hosts.get(i % 4)))));
            }
            assertThat(results(answers)).containsOnly(CLAIMED);
        }
        hosts.forEach(host -> assertThat(ProviderRows.used(pool, host, "VCPU")).isEqualTo(20));
        tables.check("released", hosts, vms);
    }

    // ---- helpers

    private UUID host() {
        return aProvider().with("VCPU", 100).insert(pool);
    }

    private static Amount take(UUID provider) {
        return new Amount(provider, "VCPU", 1);
    }

    private static Claim newVm(UUID consumer, Amount... amounts) {
        return new Claim.Replace(List.of(
                new ConsumerClaim(consumer, new GenerationCheck.IsNew(), "p", "u", "INSTANCE",
                        Arrays.asList(amounts))));
    }

    private void claim(UUID consumer, Amount... amounts) {
        assertThat(replica.claim(newVm(consumer, amounts))).isEqualTo(CLAIMED);
    }

    private Uni<ClaimResult> release(UUID consumer) {
        return replica.begin(new Claim.Release(consumer));
    }

    private static List<ClaimResult> results(List<Uni<ClaimResult>> answers) {
        return answers.stream().map(answer -> answer.await().atMost(ANSWER_MAX)).toList();
    }

    private void run(String sql, UUID uuid) {
        pool.preparedQuery(sql).execute(Tuple.of(uuid)).await().atMost(ANSWER_MAX);
    }

    private static void allocateTwo(OtherTransaction writer, UUID provider, UUID consumer) {
        writer.run("""
                WITH place AS (
                    UPDATE inventories SET used = used + 2
                     WHERE provider_id = (SELECT id FROM resource_providers WHERE uuid = $1)
                    RETURNING provider_id, resource_class_id)
                INSERT INTO allocations (consumer_uuid, provider_id, resource_class_id, used)
                SELECT $2, provider_id, resource_class_id, 2 FROM place""", provider, consumer);
    }
}
