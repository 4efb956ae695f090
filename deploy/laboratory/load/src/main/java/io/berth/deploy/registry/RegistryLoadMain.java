package io.berth.deploy.registry;

import io.berth.deploy.load.http.ClientConnections;
import io.berth.deploy.load.http.Driver;
import io.berth.deploy.load.http.Exchange;
import io.berth.deploy.load.http.Measurements;
import io.berth.deploy.load.http.Outcome;
import io.berth.deploy.load.http.Target;
import io.berth.deploy.load.http.Traffic;
import io.vertx.core.Vertx;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Sends requests to a scheduler in an open loop (at a fixed rate, without waiting for responses), and prints the number
 * of responses and their latencies. With the arguments {@code decide URL PER-SECOND SECONDS}, sends scheduling
 * requests. With {@code beat URL SERVICES TOGETHER SECONDS EVERY}, sends one heartbeat of each of SERVICES services
 * every EVERY seconds, TOGETHER heartbeats in one request. Both run for SECONDS, on up to {@value #CONNECTIONS_MAX}
 * connections. Exits with 1 if a response was wrong or none was right, and with 2 if the first argument is another one
 * or arguments are missing.
 */
public final class RegistryLoadMain {
    private static final int CONNECTIONS_MAX = 256;

    private RegistryLoadMain() {}

    public static void main(String[] args) throws InterruptedException {
        String command = args.length == 0 ? "" : args[0];
        boolean isComplete = command.equals("decide") && args.length >= 4 || command.equals("beat") && args.length >= 6;
        if (!isComplete) {
            System.err.println("usage: RegistryLoadMain decide URL PER-SECOND SECONDS"
                    + " | beat URL SERVICES TOGETHER SECONDS EVERY");
            System.exit(2);
        }
        int perSecondOrServices = Integer.parseInt(args[2]);
        Measurements measurements;
        if (command.equals("decide")) {
            measurements = run(args[1], perSecondOrServices, Integer.parseInt(args[3]), RegistryLoadMain::decision);
        } else {
            int batch = Integer.parseInt(args[3]);
            List<UUID> services =
                    IntStream.rangeClosed(1, perSecondOrServices).mapToObj(RegistryLoadMain::serviceUuid).toList();
            double perSecond = (double) perSecondOrServices / Integer.parseInt(args[5]) / batch;
            var sentRequests = new AtomicInteger();
            measurements = run(args[1], perSecond, Integer.parseInt(args[4]),
                    () -> heartbeats(services, sentRequests.getAndIncrement(), batch));
        }
        measurements.wrongs().forEach(System.err::println);
        measurements.kinds().values().stream().filter(kind -> !kind.isPhase()).forEach(kind -> System.out.printf(
                "%s: %d responses, %d wrong, %d never sent, p50 %.1f ms, p99 %.1f ms, longest %.1f ms%n", command,
                kind.requestCount(), kind.wrong(), measurements.unsent(), kind.latencyMs(50), kind.latencyMs(99),
                kind.latencyMsMax()));
        System.exit(measurements.wrongCount() == 0 && measurements.good() > 0 ? 0 : 1);
    }

    private static Measurements run(String url, double perSecond, int seconds, Traffic traffic)
            throws InterruptedException {
        Vertx vertx = Vertx.vertx();
        try (ClientConnections connections =
                new ClientConnections(vertx, Target.parse(url, "admin"), CONNECTIONS_MAX)) {
            return new Driver(vertx, connections).openLoop(traffic, Duration.ofSeconds(seconds), perSecond);
        } finally {
            vertx.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    private static Exchange decision() {
        return post("/v1/select_destinations", """
                {"instance_uuids":["%s"],"return_alternates":true,"request_spec":{"num_instances":1,\
                "project_id":"bench-project","user_id":"bench-user","flavor":{"id":1,"name":"bench",\
                "vcpus":1,"memory_mb":64,"root_gb":1}}}""".formatted(UUID.randomUUID()));
    }

    private static Exchange heartbeats(List<UUID> services, int number, int batch) {
        int first = (int) ((long) number * batch % services.size());
        if (batch == 1) {
            return post("/v1/services/" + services.get(first) + "/heartbeat", "");
        }
        String uuids = String.join("\",\"", IntStream.range(first, first + batch)
                .mapToObj(i -> services.get(i % services.size()).toString()).toList());
        return post("/v1/services/heartbeats", "{\"services\":[\"" + uuids + "\"]}");
    }

    private static Exchange post(String path, String body) {
        return Exchange.post("asked", path, body,
                answer -> answer.status() / 100 == 2 ? Outcome.GOOD : answer.wrong("POST " + path));
    }

    /** Computes the uuid as deploy/bench-registry does in SQL: {@code md5('service-1')::uuid}. */
    private static UUID serviceUuid(int number) {
        try {
            byte[] name = ("service-" + number).getBytes(StandardCharsets.UTF_8);
            ByteBuffer digest = ByteBuffer.wrap(MessageDigest.getInstance("MD5").digest(name));
            return new UUID(digest.getLong(), digest.getLong());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
