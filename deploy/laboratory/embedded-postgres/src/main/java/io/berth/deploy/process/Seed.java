package io.berth.deploy.process;

/**
 * The seed of a test's random cases. It is {@value #DEFAULT} unless {@code -Dberth.test.seed} is set, so that a build
 * fails only because of the change under test. The nightly lanes of {@code .ci/run} set other seeds.
 */
public final class Seed {
    private static final long DEFAULT = 1;

    private Seed() {}

    /** Returns the seed, and prints it so that a failed run can be repeated. */
    public static long of(Class<?> test) {
        long seed = Long.getLong("berth.test.seed", DEFAULT);
        System.out.println(test.getSimpleName() + ": repeat its random cases with -Dberth.test.seed=" + seed);
        return seed;
    }
}
