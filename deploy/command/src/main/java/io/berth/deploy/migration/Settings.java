package io.berth.deploy.migration;

import io.berth.deploy.http.RestClient;
import io.berth.deploy.migration.state.DatabaseReader;
import io.berth.deploy.migration.state.Journal;

/**
 * How to import.
 *
 * @param from the source's API, which random questions are asked; null where it is read out of its database alone
 * @param database the source's; null for its API
 * @param journal what is known of the source's API
 * @param isDryRun compares and plans, writes nothing
 * @param prune removes what only the target has
 * @param readCount random questions asked of both sides at the end, or 0
 * @param seed of these questions
 * @param parallel requests under way at once on each side
 * @param shownMax differences and failures that are printed
 */
record Settings(RestClient from, DatabaseReader database, RestClient to, Journal journal, boolean isDryRun, boolean prune,
        int readCount, long seed, int parallel, int shownMax) {}
