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
 * both services on loopback until BODIES of them had a body. Exits with 1 if a request got no response, a status of 500
 * or more, or a body with a stack trace, or if the memory of a service grew more than allowed.
 */
public final class FuzzMain {
    private static final int AT_ONCE = 24;
    /**
     * The heap is measured first after one in this many of all requests, when the caches are filled, and at the end.
     */
    private static final int WARM_PART = 10;
    private static final long HEAP_GROWTH_KB_MAX = 64 * 1024;
    private static final long RESIDENT_KB_MAX = 1_800 * 1024;
    private static final int FAILURES_SHOWN_MAX = 20;
    private static final Pattern TRACE = Pattern.compile(
            "\\bat [a-z]\\w*(\\.\\w+)+\\([\\w.]+:\\d+\\)|java\\.lang\\."
                    + "|io\\.berth\\.\\w+\\.\\w|PgException|com\\.fasterxml");

    private final long seed;
    private final InetSocketAddress placement;
    private final InetSocketAddress scheduler;
    private final List<RequestTemplate> stories = RequestTemplate.all();
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
        int sent = fuzz.send(0, Math.max(1, count / WARM_PART));
        Heap[] before = {Heap.of(pids[0]), Heap.of(pids[1])};
        sent = fuzz.send(sent, count);
        fuzz.compare("placement", before[0], Heap.of(pids[0]));
        fuzz.compare("scheduler", before[1], Heap.of(pids[1]));
        System.exit(fuzz.report(sent) ? 0 : 1);
    }

    /**
     * Sends requests until {@code bodiesMin} had a body since the start of the program, and waits for their responses.
     *
     * @param from the number of the first request
     * @return the number after the last request
     */
    private int send(int from, int bodiesMin) throws InterruptedException {
        var turns = new Semaphore(AT_ONCE);
        int next = from;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (; bodies.sum() < bodiesMin; next++) {
                turns.acquire();
                int number = next;
                threads.execute(() -> {
                    try {
                        one(number);
                    } catch (IOException | RuntimeException e) {
                        failures.add("request " + number + ": " + e);
                    } finally {
                        turns.release();
                    }
                });
            }
            threads.shutdown();
            threads.awaitTermination(2, TimeUnit.MINUTES);
        }
        return next;
    }

    /** Sends one request and checks the response. The request depends only on the seed and its number. */
    private void one(int number) throws IOException {
        RandomGenerator random = new java.util.SplittableRandom(seed * 1_000_003 + number);
        var texts = new TextMutation(random);
        RequestTemplate story = stories.get(random.nextInt(stories.size())).filled(random);
        String path = random.nextInt(12) == 0 ? texts.spoil(story.path()).replace(' ', '+') : story.path();
        String query = random.nextInt(story.body() == null ? 2 : 10) == 0 ? texts.spoil(story.query()) : story.query();
        byte[] body = story.body() == null ? null : new BodyMutation(random).spoil(story.body());
        if (body != null) {
            bodies.increment();
        }
        String target = path + (query.isEmpty() ? "" : "?" + query);
        var wire = new WireMutation(random).write(story.method(), target.replace(' ', '+'), body, story.placement());
        var said = Conversation.hold(story.placement() ? placement : scheduler, wire);
        statuses.computeIfAbsent(said.status(), status -> new LongAdder()).increment();
        String name = "request " + number + " " + story.method() + " " + story.path() + ": ";
        if (said.status() >= 500) {
            failures.add(name + "answered " + said.status() + " " + end(said.text()));
        } else if (said.status() <= 0 && wire.answersMin() > 0) {
            failures.add(name + (said.status() == 0 ? "closed without an answer" : "no answer in time"));
        } else if (TRACE.matcher(said.text()).find()) {
            failures.add(name + "shows its inside " + end(said.text()));
        }
    }

    private static String end(String text) {
        return text.substring(Math.max(0, text.length() - 400)).replaceAll("\\s+", " ");
    }

    private void compare(String service, Heap before, Heap after) {
        System.out.printf("%s: heap after collection %d KB, then %d KB; resident %d KB%n",
                service, before.usedKb(), after.usedKb(), after.residentKb());
        if (after.usedKb() - before.usedKb() > HEAP_GROWTH_KB_MAX || after.residentKb() > RESIDENT_KB_MAX) {
            failures.add(service + " holds too much memory");
        }
    }

    private boolean report(int count) {
        failures.stream().limit(FAILURES_SHOWN_MAX).forEach(System.out::println);
        System.out.printf(
                "%d requests, %d bodies, by status %s (0: closed without an answer, -1: left open), %d failed%n",
                count, bodies.sum(), new TreeMap<>(statuses), failures.size());
        return failures.isEmpty();
    }
}
