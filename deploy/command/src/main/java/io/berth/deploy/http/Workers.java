package io.berth.deploy.http;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs a task for many items on a bounded number of threads. Each task sends one request at a time, so {@code count}
 * also bounds the concurrent requests.
 *
 * @param count threads, at least 1
 */
public record Workers(int count, Progress progress) {
    /** After this many failures no further items are started, because they would probably fail for the same reason. */
    static final int FAILURES_MAX = 20;

    /** The task for one item. Called on any of the threads. */
    public interface Task<T> {
        void run(T item) throws ApiFailure, InterruptedException;
    }

    /**
     * Runs the task for each item, in any order, and waits until all are done. After {@value #FAILURES_MAX} failures
     * the items that have not been started are skipped.
     *
     * @param label the label of the progress lines
     * @return the message of each ApiFailure; empty if all tasks succeeded
     */
    public <T> List<String> tryEach(String label, Collection<T> items, Task<T> task) throws InterruptedException {
        List<T> itemList = List.copyOf(items);
        var nextIndex = new AtomicInteger();
        Progress.Phase phase = progress.phase(label, itemList.size());
        List<String> failures = Collections.synchronizedList(new ArrayList<>());
        try (var threads = Executors.newFixedThreadPool(Math.max(1, Math.min(count, itemList.size())))) {
            List<Future<?>> workers = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                workers.add(threads.submit(() -> {
                    for (int index = nextIndex.getAndIncrement(); index < itemList.size();
                            index = nextIndex.getAndIncrement()) {
                        if (failures.size() >= FAILURES_MAX) {
                            return null;
                        }
                        try {
                            task.run(itemList.get(index));
                        } catch (ApiFailure e) {
                            failures.add(e.getMessage());
                        }
                        phase.doneOne();
                    }
                    return null;
                }));
            }
            for (Future<?> worker : workers) {
                await(worker);
            }
        }
        return List.copyOf(failures);
    }

    /**
     * Runs the tasks like {@link #tryEach}, for work that must be complete.
     *
     * @throws ApiFailure with the message of the first failure, after all threads have ended
     */
    public <T> void each(String label, Collection<T> items, Task<T> task) throws ApiFailure, InterruptedException {
        List<String> failures = tryEach(label, items, task);
        if (!failures.isEmpty()) {
            throw new ApiFailure(failures.getFirst());
        }
    }

    private static void await(Future<?> worker) throws InterruptedException {
        try {
            worker.get();
        } catch (ExecutionException e) {
            // A task could not write a file. The command prints this failure as one line, other exceptions as bugs.
            if (e.getCause() instanceof UncheckedIOException fileFailure) {
                throw fileFailure;
            }
            throw new IllegalStateException(e.getCause());
        }
    }
}
