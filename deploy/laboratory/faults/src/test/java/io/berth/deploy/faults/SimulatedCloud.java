package io.berth.deploy.faults;

import io.berth.deploy.process.Api;
import io.berth.deploy.process.Await;
import io.berth.deploy.process.RawConnection;
import io.berth.deploy.process.ServiceProcess;
import io.berth.deploy.wire.Wire;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Two schedulers, each with its own placement behind a wire, on one database, with hosts that fill up soon. */
final class SimulatedCloud implements AutoCloseable {
    static final int SCHEDULERS = 2;
    /**
     * The timeout of a scheduler's calls to placement, so that a call that a stopped service delays arrives too late.
     */
    static final int CALL_MS_MAX = 1_000;
    private static final int HOSTS = 6;
    private static final int VCPUS = 16;
    /** Longer than any timeout of the services. */
    private static final Duration ANSWER_MAX = Duration.ofMinutes(4);

    private final Postgres postgres = Postgres.start();
    private final String database;
    private final List<Wire> wires = new ArrayList<>();
    private final List<ServiceProcess> placements = new ArrayList<>();
    private final List<ServiceProcess> schedulers = new ArrayList<>();
    private final List<UUID> hosts;

    SimulatedCloud() throws SQLException {
        database = postgres.newDatabase();
        for (int i = 0; i < SCHEDULERS; i++) {
            placements.add(ServiceProcess.start(Packaged.PLACEMENT, database));
            wires.add(Wire.to(port(placements.get(i))));
            schedulers.add(ServiceProcess.start(Packaged.SCHEDULER, environment(i)));
        }
        awaitReady();
        SchedulerHosts schedulerHosts = SchedulerHosts.make(new Api(placements.getFirst().url()), HOSTS, VCPUS);
        schedulerHosts.register(new Api(schedulers.getFirst().url()));
        hosts = schedulerHosts.uuids();
    }

    private static int port(ServiceProcess service) {
        return URI.create(service.url()).getPort();
    }

    private Map<String, String> environment(int scheduler) {
        return Map.of(
                "BERTH_DATABASE_URL", database,
                "BERTH_PLACEMENT_URL", "http://127.0.0.1:" + wires.get(scheduler).port(),
                "BERTH_PLACEMENT_TIMEOUT", Duration.ofMillis(CALL_MS_MAX).toString(),
                // Compares the registry with placement while clients write, and soon after they stop.
                "BERTH_INSTANCES_COMPARED_PAUSE", "1S",
                // The hosts' services need not report again.
                "BERTH_SCHEDULER_DEFAULT_SERVICE_DOWN_TIME", "1000000");
    }

    List<UUID> hosts() {
        return hosts;
    }

    Connection connect() throws SQLException {
        return Postgres.connect(database);
    }

    void awaitReady() {
        for (ServiceProcess placement : placements) {
            Await.eventually("placement is ready", new Api(placement.url())::isReady);
        }
        for (ServiceProcess scheduler : schedulers) {
            Await.eventually("the scheduler is ready", new Api(scheduler.url())::isReady);
        }
    }

    /** @param scheduler index of the scheduler that receives the request, or whose placement does */
    Reply send(Command.Request request, int scheduler) {
        return Reply.of(new Api(url(request, scheduler))
                .call(request.method(), request.path(), request.body(), ANSWER_MAX));
    }

    /** Sends a request from a client that does not wait for the response. */
    Reply sendAndLeave(Command.Request request, int scheduler, long afterMs) {
        String body = request.body() == null ? "" : request.body();
        try (var client = RawConnection.to(url(request, scheduler))) {
            client.send(Api.requestHead(request.method() + " " + request.path())
                    + "content-length: " + body.length() + "\r\n\r\n" + body);
            Await.pause(afterMs);
        } catch (RuntimeException notConnected) {
            return new Reply.Unknown(notConnected.getMessage());
        }
        return new Reply.Unknown("left");
    }

    private String url(Command.Request request, int scheduler) {
        return request.isForScheduler() ? schedulers.get(scheduler).url() : placements.get(scheduler).url();
    }

    /** A fault that lasts for a number of milliseconds. */
    enum Fault {
        SCHEDULER_KILLED, SCHEDULER_STOPPED, PLACEMENT_KILLED, PLACEMENT_STOPPED, PLACEMENT_CUT_OFF;

        boolean isOfPlacement() {
            return this != SCHEDULER_KILLED && this != SCHEDULER_STOPPED;
        }

        boolean isStop() {
            return this == SCHEDULER_STOPPED || this == PLACEMENT_STOPPED;
        }
    }

    void suffer(Fault fault, int scheduler, long ms) {
        switch (fault) {
            case SCHEDULER_KILLED -> {
                kill(schedulers.get(scheduler));
                Await.pause(ms);
                schedulers.set(scheduler, ServiceProcess.start(
                        Packaged.SCHEDULER, environment(scheduler), port(schedulers.get(scheduler))));
            }
            case PLACEMENT_KILLED -> {
                kill(placements.get(scheduler));
                Await.pause(ms);
                placements.set(scheduler, ServiceProcess.start(
                        Packaged.PLACEMENT, database, port(placements.get(scheduler))));
            }
            case SCHEDULER_STOPPED -> stop(schedulers.get(scheduler), ms);
            case PLACEMENT_STOPPED -> stop(placements.get(scheduler), ms);
            case PLACEMENT_CUT_OFF -> {
                wires.get(scheduler).cut();
                Await.pause(ms);
                wires.get(scheduler).pass();
            }
        }
    }

    private static void kill(ServiceProcess service) {
        try {
            service.process().destroyForcibly().waitFor();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void stop(ServiceProcess service, long ms) {
        service.suspend();
        Await.pause(ms);
        service.resume();
    }

    @Override
    public void close() {
        schedulers.forEach(ServiceProcess::close);
        placements.forEach(ServiceProcess::close);
        wires.forEach(Wire::close);
        postgres.close();
    }
}
