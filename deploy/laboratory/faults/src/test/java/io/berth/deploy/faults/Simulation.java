package io.berth.deploy.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.faults.Command.Answered;
import io.berth.deploy.faults.SimulatedCloud.Fault;
import io.berth.deploy.process.Await;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * One run in steps. In each step, clients send commands concurrently while a fault may happen; afterwards the tables
 * are compared with the responses.
 */
final class Simulation {
    /** The probability of a fault in a step. */
    private static final double FAULTS = 0.3;
    /** The probability that a client does not wait for the response. */
    private static final double LEAVING = 0.08;
    private static final int STEPS_TO_SETTLE = 12;
    private static final int REPEATED = 2;
    private static final int AGAIN_MAX = 600;

    private final SimulatedCloud cloud;
    private final Connection database;
    private final long seed;
    private final Random random;
    private final Model model;
    private final Clients clients;
    private final Invariants invariants;
    private final Map<String, Integer> happened = new TreeMap<>();

    Simulation(SimulatedCloud cloud, Connection database, long seed) {
        this.cloud = cloud;
        this.database = database;
        this.seed = seed;
        random = new Random(seed);
        model = new Model(cloud.hosts());
        List<Group> groups = Group.some();
        groups.forEach(group -> assertThat(cloud.send(group.put(null), 0)).isInstanceOf(Reply.Done.class));
        clients = new Clients(random, model, groups, cloud.hosts());
        invariants = new Invariants(database, cloud.hosts(), groups);
    }

    /** Runs the steps, and counts what happened. */
    Map<String, Integer> run(int steps) throws Exception {
        for (int step = 1; step <= steps; step++) {
            String when = "seed " + seed + " step " + step;
            try {
                step(when);
                if (step % STEPS_TO_SETTLE == 0 || step == steps) {
                    settle();
                }
            } catch (AssertionError e) {
                throw new AssertionError(when + ": " + e.getMessage(), e);
            }
        }
        leaveNothing();
        return happened;
    }

    /**
     * A command that is sent.
     *
     * @param leavesAfterMs negative for a client that waits for the response
     */
    private record Sent(Command command, int scheduler, long afterMs, long leavesAfterMs) {}

    private void step(String when) throws Exception {
        List<Sent> sent = new ArrayList<>();
        for (Command command : clients.next(observe())) {
            boolean leaves = command.request().isForScheduler() && random.nextDouble() < LEAVING;
            sent.add(new Sent(
                    command,
                    random.nextInt(SimulatedCloud.SCHEDULERS),
                    random.nextInt(40),
                    leaves ? random.nextInt(60) : -1));
        }
        Fault fault = random.nextDouble() < FAULTS ? Fault.values()[random.nextInt(Fault.values().length)] : null;
        int victim = random.nextInt(SimulatedCloud.SCHEDULERS);
        long beginsMs = random.nextInt(120);
        long lastsMs = random.nextInt(fault != null && fault.isStop() ? 3 * SimulatedCloud.CALL_MS_MAX : 1_500);
        List<Answered> answered = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Reply>> replies = new ArrayList<>();
            for (Sent each : sent) {
                Callable<Reply> one = () -> send(each);
                replies.add(threads.submit(one));
            }
            if (fault != null) {
                Await.pause(beginsMs);
                cloud.suffer(fault, victim, lastsMs);
            }
            for (int i = 0; i < sent.size(); i++) {
                answered.add(new Answered(sent.get(i).command(), replies.get(i).get()));
            }
        }
        cloud.awaitReady();
        note(answered, fault);
        model.answered(
                when + (fault == null ? "" : " " + fault), answered, fault != null && fault.isOfPlacement());
        Observed observed = Observed.read(database);
        invariants.check(observed, model.plainConsumers(), model::tell);
        model.check(observed);
        invariants.checkJoined(answered, observed, model::tell);
        repeatSome();
    }

    private Reply send(Sent each) {
        Await.pause(each.afterMs());
        return each.leavesAfterMs() < 0
                ? each.command().send(cloud, each.scheduler())
                : cloud.sendAndLeave(each.command().request(), each.scheduler(), each.leavesAfterMs());
    }

    private void note(List<Answered> answered, Fault fault) {
        List<String> wrong = new ArrayList<>();
        for (Answered each : answered) {
            String what = each.command().getClass().getSimpleName() + " " + switch (each.reply()) {
                case Reply.Done _ -> "done";
                case Reply.Refused(String code) -> code;
                case Reply.Unknown _ -> "unanswered";
                case Reply.Wrong wrongly -> {
                    wrong.add(each.command() + ": " + wrongly.answer());
                    yield "wrong";
                }
            };
            happened.merge(what, 1, Integer::sum);
        }
        if (fault != null) {
            happened.merge(fault.name(), 1, Integer::sum);
        }
        assertThat(wrong).as("responses that no fault excuses").isEmpty();
    }

    private void repeatSome() {
        List<Answered> repeatable = new ArrayList<>(model.repeatable());
        for (int i = 0; i < REPEATED && !repeatable.isEmpty(); i++) {
            Answered before = repeatable.remove(random.nextInt(repeatable.size()));
            int scheduler = random.nextInt(SimulatedCloud.SCHEDULERS);
            Reply again = cloud.send(before.command().request(), scheduler);
            // Placement was unreachable until now.
            for (int n = 0; n < AGAIN_MAX && again instanceof Reply.Unknown; n++) {
                Await.pause(500);
                again = cloud.send(before.command().request(), scheduler);
            }
            assertThat(again).as("the same request again: %s\n%s",
                    before.command(), model.tell(before.command().instances().getFirst())).isEqualTo(before.reply());
            happened.merge("repeated", 1, Integer::sum);
        }
    }

    /**
     * Waits until no request is in flight, and checks all states. Does not wait for requests that were sent and have
     * not arrived.
     */
    private void settle() throws SQLException {
        Await.eventually("every request in flight ends", () -> {
            endLeases();
            return observe().open() == 0;
        });
        Await.eventually("instances without allocations are unregistered",
                () -> observe().registeredForNothing().isEmpty());
        Await.eventually("instances with allocations are registered again",
                () -> observe().unregisteredAlthoughHolding().isEmpty());
        Observed observed = observe();
        invariants.check(observed, model.plainConsumers(), model::tell);
        invariants.checkSettled(observed);
        model.checkSettled(observed);
    }

    private Observed observe() {
        try {
            return Observed.read(database);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Shortens the leases of schedulers that were killed. Requests that they sent may still arrive, and are refused.
     */
    private void endLeases() {
        try (var statement = database.createStatement()) {
            statement.execute("UPDATE scheduler.request_leases SET lease_until = lease_until - interval '4 minutes'");
            statement.execute("""
                    UPDATE scheduler.moves SET lease_until = lease_until - interval '4 minutes'
                     WHERE state IN ('started', 'reverting')""");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Deletes all instances, and checks that nothing is left, as the next run requires. */
    private void leaveNothing() throws SQLException {
        endLeases();
        Observed observed = observe();
        Set<UUID> migrations = new HashSet<>(observed.migrations());
        migrations.addAll(model.plainMigrations());
        Set<UUID> instances = new HashSet<>(observed.held().keySet());
        instances.removeAll(migrations);
        instances.addAll(observed.registered().keySet());
        for (UUID instance : instances) {
            var deleted = new Command.Delete(instance);
            assertThat(cloud.send(deleted.request(), 0)).as("%s\n%s", deleted, model.tell(instance))
                    .isInstanceOf(Reply.Done.class);
        }
        for (UUID migration : observe().held().keySet()) {
            assertThat(migrations).as("migrations").contains(migration);
            assertThat(cloud.send(new Command.Confirm(migration, migration).request(), 0))
                    .isInstanceOf(Reply.Done.class);
        }
        Observed after = observe();
        assertThat(after.held()).isEmpty();
        assertThat(after.registered()).isEmpty();
        assertThat(after.open()).isZero();
        for (String table : List.of("server_group_reservations", "request_leases", "request_instances")) {
            try (var statement = database.createStatement();
                    var rows = statement.executeQuery("SELECT to_jsonb(each) FROM scheduler." + table + " AS each")) {
                List<String> left = new ArrayList<>();
                while (rows.next()) {
                    left.add(rows.getString(1));
                }
                assertThat(left).as("rows of %s when nothing is left", table).isEmpty();
            }
        }
    }
}
