package io.berth.deploy.registry;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Requests at a rate, whatever becomes of those before; prints how many were answered and how long that took. Arguments:
 * {@code decide URL PER-SECOND SECONDS}, or {@code beat URL SERVICES TOGETHER SECONDS EVERY}: each of the services once in
 * so many seconds, so many in one request. Exit 1 when an answer was wrong.
 */
public final class RegistryLoadMain {
    private static final int UNDER_WAY_MAX = 256;
    private static final Duration ANSWER_MAX = Duration.ofSeconds(60);

    private final HttpClient client = HttpClient.newHttpClient();
    private final Semaphore free = new Semaphore(UNDER_WAY_MAX);
    private final ConcurrentLinkedQueue<Long> micros = new ConcurrentLinkedQueue<>();
    private final AtomicLong wrong = new AtomicLong();

    private RegistryLoadMain() {}

    public static void main(String[] args) throws InterruptedException {
        if (args.length < 4 || args[0].equals("beat") && args.length < 6) {
            System.err.println("usage: RegistryLoadMain decide URL PER-SECOND SECONDS"
                    + " | beat URL SERVICES TOGETHER SECONDS EVERY");
            System.exit(2);
        }
        int number = Integer.parseInt(args[2]);
        var load = new RegistryLoadMain();
        if (args[0].equals("decide")) {
            load.run(number, Integer.parseInt(args[3]), i -> decision(args[1]));
        } else {
            int together = Integer.parseInt(args[3]);
            List<UUID> services = IntStream.rangeClosed(1, number).mapToObj(RegistryLoadMain::service).toList();
            double perSecond = (double) number / Integer.parseInt(args[5]) / together;
            load.run(perSecond, Integer.parseInt(args[4]), i -> beats(args[1], services, i, together));
        }
        load.print(args[0]);
        System.exit(load.wrong.get() == 0 ? 0 : 1);
    }

    private void run(double perSecond, int seconds, IntFunction<HttpRequest> requests) throws InterruptedException {
        long beganNanos = System.nanoTime();
        int count = (int) (perSecond * seconds);
        for (int i = 0; i < count; i++) {
            long dueNanos = beganNanos + (long) (i / perSecond * 1e9);
            long early = dueNanos - System.nanoTime();
            if (early > 0) {
                Thread.sleep(early / 1_000_000, (int) (early % 1_000_000));
            }
            free.acquire();
            client.sendAsync(requests.apply(i), HttpResponse.BodyHandlers.ofString()).whenComplete((answer, failure) -> {
                free.release();
                micros.add((System.nanoTime() - dueNanos) / 1_000);
                if (failure != null || answer.statusCode() > 204) {
                    wrong.incrementAndGet();
                    System.err.println(failure != null ? failure : answer.statusCode() + " " + answer.body());
                }
            });
        }
        free.acquire(UNDER_WAY_MAX);
    }

    private void print(String what) {
        long[] sorted = micros.stream().mapToLong(each -> each).sorted().toArray();
        System.out.printf("%s: %d answers, %d wrong, p50 %.1f ms, p99 %.1f ms, longest %.1f ms%n", what, sorted.length,
                wrong.get(), at(sorted, 0.5), at(sorted, 0.99), at(sorted, 1));
    }

    private static double at(long[] sorted, double part) {
        return sorted.length == 0 ? Double.NaN : sorted[(int) Math.min(sorted.length - 1, part * sorted.length)] / 1e3;
    }

    private static HttpRequest decision(String url) {
        return post(url + "/v1/select_destinations", """
                {"instance_uuids":["%s"],"return_alternates":true,"request_spec":{"num_instances":1,\
                "project_id":"bench-project","user_id":"bench-user","flavor":{"id":1,"name":"bench",\
                "vcpus":1,"memory_mb":64,"root_gb":1}}}""".formatted(UUID.randomUUID()));
    }

    private static HttpRequest beats(String url, List<UUID> services, int number, int together) {
        int first = (int) ((long) number * together % services.size());
        if (together == 1) {
            return post(url + "/v1/services/" + services.get(first) + "/heartbeat", "");
        }
        String uuids = String.join("\",\"", IntStream.range(first, first + together)
                .mapToObj(i -> services.get(i % services.size()).toString()).toList());
        return post(url + "/v1/services/heartbeats", "{\"services\":[\"" + uuids + "\"]}");
    }

    private static HttpRequest post(String url, String body) {
        return HttpRequest.newBuilder(URI.create(url))
                .timeout(ANSWER_MAX)
                .header("x-auth-token", "admin")
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    /** As the script makes them: {@code md5('service-1')::uuid}. */
    private static UUID service(int number) {
        try {
            byte[] name = ("service-" + number).getBytes(StandardCharsets.UTF_8);
            ByteBuffer digest = ByteBuffer.wrap(MessageDigest.getInstance("MD5").digest(name));
            return new UUID(digest.getLong(), digest.getLong());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
