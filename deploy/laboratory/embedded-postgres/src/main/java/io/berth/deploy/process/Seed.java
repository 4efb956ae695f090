package io.berth.deploy.process;

/** Of a test's random cases: {@code -Dberth.test.seed} repeats those of a run. */
public final class Seed {
    private Seed() {}

    /** Another one each time where none is given; printed, for whoever wants the same cases again. */
    public static long of(Class<?> test) {
        long seed = Long.getLong("berth.test.seed", System.nanoTime());
        System.out.println(test.getSimpleName() + ": repeat its random cases with -Dberth.test.seed=" + seed);
        return seed;
    }
}
