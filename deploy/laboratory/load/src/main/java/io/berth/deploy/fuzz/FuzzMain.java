package io.berth.deploy.fuzz;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;

/**
 * {@code FuzzMain BODIES SEED PLACEMENT_PORT PLACEMENT_PID SCHEDULER_PORT SCHEDULER_PID}: sends mutated requests to
 * both services on loopback until at least BODIES of them had a body. Exits with 1 if a request could not be sent, if a
 * request that must get a response got none, if a response has a status of 500 or more, or contains a stack trace or a
 * name of a Java class, or if a service uses more memory than allowed.
 */
public final class FuzzMain {
    private static final int REQUESTS_IN_PROGRESS_MAX = 24;
    /**
     * The heap is measured when 1/{@value} of the requests with a body are sent, because the caches are filled by then,
     * and at the end.
     */
    private static final int WARM_UP_DIVISOR = 10;
    /** The maximum growth of the used heap between the two measurements, in KB. */
    private static final long HEAP_GROWTH_KB_MAX = 64 * 1024;
    /** The maximum resident memory of a service at the end, in KB. */
    private static final long RESIDENT_KB_MAX = 1_800 * 1024;
    private static final int FAILURES_SHOWN_MAX = 20;
    private static final Pattern STACK_TRACE = Pattern.compile(
            "\\bat [a-z]\\w*(\\.\\w+)+\\([\\w.]+:\\d+\\)|java\\.lang\\."
                    + "|io\\.berth\\.\\w+\\.\\w|PgException|com\\.fasterxml");

    private final long seed;
    private final InetSocketAddress placement;
    private final InetSocketAddress scheduler;
    private final List<RequestTemplate> templates = RequestTemplate.all();
    private final Map<Integer, LongAdder> statuses = new ConcurrentSkipListMap<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final LongAdder bodies = new LongAdder();

    private FuzzMain(long seed, int placementPort, int schedulerPort) {
        this.seed = seed;
        this.placement = new InetSocketAddress(InetAddress.getLoopbackAddress(), placementPort);
        this.scheduler = new InetSocketAddress(InetAddress.getLoopbackAddress(), schedulerPort);
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        int count = Integer.parseInt(args[0]);
        long seed = Long.parseLong(args[1]);
        long[] pids = {Long.parseLong(args[3]), Long.parseLong(args[5])};
        System.out.println("seed " + seed);
        var fuzz = new FuzzMain(seed, Integer.parseInt(args[2]), Integer.parseInt(args[4]));
        int sent = fuzz.send(0, Math.max(1, count / WARM_UP_DIVISOR));
        ServiceMemory[] before = {ServiceMemory.of(pids[0]), ServiceMemory.of(pids[1])};
        sent = fuzz.send(sent, count);
        fuzz.checkMemory("placement", before[0], ServiceMemory.of(pids[0]));
        fuzz.checkMemory("scheduler", before[1], ServiceMemory.of(pids[1]));
        System.exit(fuzz.report(sent) ? 0 : 1);
    }

    /**
     * Sends requests until at least {@code bodiesMin} requests with a body were sent since the start of the program.
     * Waits for the responses.
     *
     * @param from the number of the first request
     * @return the number of the last request plus 1, from which the next call continues
     */
    private int send(int from, int bodiesMin) throws InterruptedException {
        var permits = new Semaphore(REQUESTS_IN_PROGRESS_MAX);
        int nextNumber = from;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (; bodies.sum() < bodiesMin; nextNumber++) {
                permits.acquire();
                int number = nextNumber;
                threads.execute(() -> {
                    try {
                        sendOne(number);
                    } catch (IOException | RuntimeException e) {
                        failures.add("request " + number + ": " + e);
                    } finally {
                        permits.release();
                    }
                });
            }
            threads.shutdown();
            if (!threads.awaitTermination(2, TimeUnit.MINUTES)) {
                failures.add("some requests before number " + nextNumber + " have no response after two minutes");
            }
        }
        return nextNumber;
    }

    /** Sends one request and checks the response. The request depends only on the seed and the number. */
    private void sendOne(int number) throws IOException {
        RandomGenerator random = new java.util.SplittableRandom(seed * 1_000_003 + number);
        var textMutation = new TextMutation(random);
        RequestTemplate request = templates.get(random.nextInt(templates.size())).withRandomValues(random);
        String path = random.nextInt(12) == 0 ? textMutation.mutate(request.path()).replace(' ', '+') : request.path();
        String query = random.nextInt(request.body() == null ? 2 : 10) == 0
                ? textMutation.mutate(request.query())
                : request.query();
        byte[] body = request.body() == null ? null : new BodyMutation(random).mutate(request.body());
        if (body != null) {
            bodies.increment();
        }
        String target = path + (query.isEmpty() ? "" : "?" + query);
        var rendered = new WireMutation(random)
                .render(request.method(), target.replace(' ', '+'), body, request.isForPlacement());
        var response = Conversation.sendAndReceive(request.isForPlacement() ? placement : scheduler, rendered);
        statuses.computeIfAbsent(response.status(), status -> new LongAdder()).increment();
        String name = "request " + number + " " + request.method() + " " + request.path() + ": ";
        if (response.status() >= 500) {
            failures.add(name + "answered " + response.status() + " " + lastPart(response.text()));
        } else if (response.status() <= 0 && rendered.responsesMin() > 0) {
            failures.add(name + (response.status() == 0 ? "closed without an answer" : "no answer in time"));
        } else if (STACK_TRACE.matcher(response.text()).find()) {
            failures.add(name + "contains a stack trace or class name: " + lastPart(response.text()));
        }
    }

    private static String lastPart(String text) {
        return text.substring(Math.max(0, text.length() - 400)).replaceAll("\\s+", " ");
    }

    private void checkMemory(String service, ServiceMemory before, ServiceMemory after) {
        System.out.printf("%s: heap after collection %d KB, then %d KB; resident %d KB%n",
                service, before.usedKb(), after.usedKb(), after.residentKb());
        if (after.usedKb() - before.usedKb() > HEAP_GROWTH_KB_MAX || after.residentKb() > RESIDENT_KB_MAX) {
            failures.add(service + " uses too much memory");
        }
    }

    /** Prints the first failures and the totals of {@code count} requests. Returns whether nothing failed. */
    private boolean report(int count) {
        failures.stream().limit(FAILURES_SHOWN_MAX).forEach(System.out::println);
        System.out.printf(
                "%d requests, %d bodies, by status %s (0: closed without an answer, -1: left open), %d failed%n",
                count, bodies.sum(), new TreeMap<>(statuses), failures.size());
        return failures.isEmpty();
    }
}
