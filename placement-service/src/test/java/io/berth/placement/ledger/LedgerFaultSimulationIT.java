package io.berth.placement.ledger;

import static io.berth.deploy.process.Await.eventually;
import static io.berth.placement.ProviderRows.aProvider;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.berth.deploy.process.Seed;
import io.berth.deploy.wire.Wire;
import io.berth.placement.ledger.claim.Claim;
import io.berth.placement.ledger.claim.ClaimResult;
import io.berth.placement.ledger.claim.ConsumerClaim;
import io.berth.placement.ledger.claim.ConsumerClaim.Amount;
import io.berth.placement.ledger.claim.ConsumerClaim.GenerationCheck;
import io.berth.placement.ledger.claim.ConsumerSettlement;
import io.berth.placement.ledger.claim.Fence;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.smallrye.mutiny.Uni;
import io.vertx.core.Vertx;
import io.vertx.mutiny.sqlclient.Pool;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Simulates hours in the life of a small cloud: instances come, move and go in model time through two replicas, each
 * behind a {@link Wire}, and every half an hour something breaks. After every step the tables must satisfy the
 * invariants and agree with the responses. Most claims carry a fence number; those without a response are settled at
 * once, and the settlement is final. A run is repeated with {@code -Dberth.test.seed}, apart from timing, and made
 * longer with {@code -Dberth.test.hours}.
 */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class LedgerFaultSimulationIT {
    private static final Duration ANSWER_MAX = Duration.ofMinutes(5);
    private static final int HOSTS = 6;
    private static final int VCPUS = 16;
    private static final double RATIO = 1.5;
    /** Length of a step in model time. */
    private static final double STEP_HOURS = 0.1;
    private static final double ARRIVALS_PER_HOUR = 40;
    private static final double LIFE_HOURS = 1.5;
    private static final double FAULTS_PER_HOUR = 2;
    private static final double MOVES = 0.15;
    private static final double PLAIN = 0.25;

    @Inject
    Pool pool;

    @Inject
    Vertx vertx;

    private final List<UUID> hosts = new ArrayList<>();
    /** The allocations by consumer, as last read. */
    private final Map<UUID, Map<UUID, Long>> machines = new HashMap<>();
    private final Map<String, Integer> happened = new TreeMap<>();
    private final List<Replica> replicas = new ArrayList<>();
    private long numbers;
    private Map<UUID, Integer> generations = new HashMap<>();
    private LedgerTables tables;

    /** A fault while claims are in progress. */
    private enum Fault { SESSIONS_KILLED, NETWORK_RESET, NETWORK_STALLED, REPLICA_RESTARTED }

    private final class Replica implements AutoCloseable {
        private final String name;
        private final Wire wire = Wire.to(PostgresForTests.port());
        private LedgerReplica ledger;

        private Replica(String name) {
            this.name = name;
            start();
        }

        private void start() {
            ledger = new LedgerReplica(vertx, name, new Ledger.Limits(8, 1000, 3, 10), wire.port());
        }

        private void suffer(Fault fault, long ms) throws InterruptedException {
            switch (fault) {
                case SESSIONS_KILLED -> tables.kill(name);
                case NETWORK_RESET -> wire.cut();
                case NETWORK_STALLED -> wire.stall();
                case REPLICA_RESTARTED -> {
                    wire.cut();
                    ledger.close();
                    start();
                }
            }
            Thread.sleep(ms);
            wire.pass();
        }

        @Override
        public void close() {
            ledger.close();
            wire.close();
        }
    }

    /**
     * A claim in progress.
     *
     * @param wanted allocations of the consumer once the claim is made
     * @param number fence number of the claim
     */
    private record PendingClaim(UUID consumer, Map<UUID, Long> wanted, long number, Uni<ClaimResult> answer) {}

    @Test
    void tablesAgreeWithResponsesThroughHoursOfFaults() throws InterruptedException {
        long seed = Seed.of(LedgerFaultSimulationIT.class);
        int hours = Integer.getInteger("berth.test.hours", 6);
        System.out.println("LedgerFaultSimulationIT: for berth.test.hours=" + hours);
        var random = new Random(seed);
        tables = new LedgerTables(pool);
        for (int i = 0; i < HOSTS; i++) {
            hosts.add(aProvider().with("VCPU", VCPUS).ratio(RATIO).insert(pool));
        }
        try (var one = new Replica("faults-1-" + seed); var two = new Replica("faults-2-" + seed)) {
            replicas.addAll(List.of(one, two));
            for (double now = 0; now < hours; now += STEP_HOURS) {
                step("seed %d at %.1f h".formatted(seed, now), random);
            }
        }
        System.out.println("model hours " + hours + ", " + happened);
        assertThat(happened.getOrDefault("claimed", 0)).as("claims made, of " + happened).isGreaterThan(20 * hours);
    }

    private void step(String when, Random random) throws InterruptedException {
        List<PendingClaim> pending = new ArrayList<>();
        for (UUID machine : List.copyOf(machines.keySet())) {
            if (random.nextDouble() < STEP_HOURS / LIFE_HOURS) {
                pending.add(ask(random, machine, Map.of()));
            } else if (random.nextDouble() < MOVES * STEP_HOURS) {
                pending.add(ask(random, machine, someHosts(random)));
            }
        }
        double arrivals = STEP_HOURS * ARRIVALS_PER_HOUR;
        for (double due = random.nextExponential(); due < arrivals; due += random.nextExponential()) {
            pending.add(ask(random, UUID.randomUUID(), someHosts(random)));
        }
        if (random.nextDouble() < STEP_HOURS * FAULTS_PER_HOUR) {
            Fault fault = Fault.values()[random.nextInt(Fault.values().length)];
            happened.merge(fault.name(), 1, Integer::sum);
            Replica victim = replicas.get(random.nextInt(replicas.size()));
            Thread.sleep(random.nextInt(10));
            victim.suffer(fault, random.nextInt(300));
        }
        Map<UUID, Set<Map<UUID, Long>>> possible = new HashMap<>();
        pending.forEach(each -> possible.put(each.consumer(), possibleAllocations(each)));
        settle();
        compare(when, possible);
    }

    private PendingClaim ask(Random random, UUID consumer, Map<UUID, Long> wanted) {
        List<Amount> amounts = wanted.entrySet().stream()
                .map(each -> new Amount(each.getKey(), "VCPU", each.getValue()))
                .toList();
        GenerationCheck check =
                machines.containsKey(consumer) ? new GenerationCheck.Unchecked() : new GenerationCheck.IsNew();
        long number = random.nextDouble() < PLAIN ? Fence.PLAIN : ++numbers;
        Claim claim = wanted.isEmpty()
                ? new Claim.Release(consumer, number)
                : new Claim.Replace(List.of(new ConsumerClaim(consumer, check, "p", "u", null, amounts)), number);
        return new PendingClaim(consumer, wanted, number,
                replicas.get(random.nextInt(replicas.size())).ledger.begin(claim));
    }

    private Map<UUID, Long> someHosts(Random random) {
        Map<UUID, Long> wanted = new HashMap<>();
        for (int i = 1 + random.nextInt(2); i > 0; i--) {
            wanted.put(hosts.get(random.nextInt(HOSTS)), 1L + random.nextInt(4));
        }
        return wanted;
    }

    /** Returns the consumer's possible allocations by the response. */
    private Set<Map<UUID, Long>> possibleAllocations(PendingClaim pending) {
        Map<UUID, Long> before = machines.getOrDefault(pending.consumer(), Map.of());
        ClaimResult result;
        try {
            result = pending.answer().await().atMost(ANSWER_MAX);
        } catch (RuntimeException broken) {
            result = new ClaimResult.Unavailable(broken.getMessage());
        }
        if (pending.number() != Fence.PLAIN
                && (result instanceof ClaimResult.Indeterminate || result instanceof ClaimResult.Unavailable)) {
            happened.merge("settled", 1, Integer::sum);
            return Set.of(settled(pending, before));
        }
        return switch (result) {
            case ClaimResult.Claimed _ -> {
                happened.merge("claimed", 1, Integer::sum);
                yield Set.of(pending.wanted());
            }
            case ClaimResult.Settled settled -> throw new AssertionError(settled);
            case ClaimResult.Indeterminate _ -> {
                happened.merge("in doubt", 1, Integer::sum);
                yield before.equals(pending.wanted()) ? Set.of(before) : Set.of(before, pending.wanted());
            }
            case ClaimResult.Unavailable _ -> {
                happened.merge("unavailable", 1, Integer::sum);
                yield Set.of(before);
            }
            case ClaimResult.Refused _ -> {
                happened.merge("refused", 1, Integer::sum);
                yield Set.of(before);
            }
        };
    }

    /** Settles the consumer: returns its allocations from now on, although the claim may still be in progress. */
    private Map<UUID, Long> settled(PendingClaim pending, Map<UUID, Long> before) {
        var settle = new Claim.Settle(
                ++numbers, List.of(new ConsumerSettlement(null, ConsumerClaim.ofNothing(pending.consumer()))));
        for (int i = 0;; i++) {
            ClaimResult result = replicas.get(i % replicas.size()).ledger.begin(settle).onFailure()
                    .recoverWithItem(broken -> new ClaimResult.Unavailable(broken.getMessage())).await()
                    .atMost(ANSWER_MAX);
            if (result instanceof ClaimResult.Settled settled) {
                Map<UUID, Long> holds = new HashMap<>();
                ClaimResult.SettledConsumer consumer = settled.consumers().getFirst();
                consumer.allocations().forEach(held -> holds.put(held.provider(), held.units().get("VCPU")));
                boolean isMade = Long.valueOf(pending.number()).equals(consumer.fence().claimedBy());
                assertThat(holds).as("made %s", isMade).isEqualTo(isMade ? pending.wanted() : before);
                return holds;
            }
            assertThat(result).isInstanceOfAny(ClaimResult.Indeterminate.class, ClaimResult.Unavailable.class);
        }
    }

    /**
     * A commit in transit when the network failed may still arrive: its result is unknown until nothing is in progress.
     */
    private void settle() {
        eventually("sessions become idle", () -> tables.busy("faults-%") == 0);
    }

    private void compare(String when, Map<UUID, Set<Map<UUID, Long>>> possible) {
        tables.check(when, hosts, possible.keySet());
        possible.forEach((consumer, holdings) -> {
            Map<UUID, Long> now = tables.heldBy(consumer);
            assertThat(now).as("%s holdings of %s", when, consumer).isIn(holdings);
            if (now.isEmpty()) {
                machines.remove(consumer);
            } else {
                machines.put(consumer, now);
            }
        });
        Map<UUID, Integer> generationsNow = tables.generations(hosts);
        generations.forEach((host, before) -> assertThat(generationsNow.get(host))
                .as("%s generation of %s", when, host).isGreaterThanOrEqualTo(before));
        generations = generationsNow;
    }
}
