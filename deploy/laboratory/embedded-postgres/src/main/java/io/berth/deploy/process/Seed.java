package io.berth.deploy.process;

/**
 * The seed of a test's random cases: {@code -Dberth.test.seed}, or the same for every build, so that a change is judged
 * by what it changes. The nightly lanes of {@code .ci/run} draw other cases.
 */
public final class Seed {
    private static final long DEFAULT = 1;

    private Seed() {}

    /** Prints the seed, so that a failed run can be repeated. */
    public static long of(Class<?> test) {
        long seed = Long.getLong("berth.test.seed", DEFAULT);
        System.out.println(test.getSimpleName() + ": repeat its random cases with -Dberth.test.seed=" + seed);
        return seed;
    }
}
