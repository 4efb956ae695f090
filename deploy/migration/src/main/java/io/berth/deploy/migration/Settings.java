package io.berth.deploy.migration;

import io.berth.deploy.migration.http.Target;
import javax.net.ssl.SSLContext;

/**
 * How to import.
 *
 * @param trust certificates to believe in; null for the JDK's own
 * @param isDryRun compares and plans, writes nothing
 * @param prune removes what only the target has
 * @param readCount random questions asked of both sides at the end, or 0
 * @param seed of these questions
 * @param parallel requests under way at once on each side
 * @param shownMax differences and failures that are printed
 */
record Settings(Target from, Target to, SSLContext trust, boolean isDryRun, boolean prune, int readCount, long seed,
        int parallel, int shownMax) {}
