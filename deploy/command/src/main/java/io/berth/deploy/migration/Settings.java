package io.berth.deploy.migration;

import io.berth.deploy.http.RestClient;
import io.berth.deploy.migration.state.DatabaseReader;
import io.berth.deploy.migration.state.Journal;

/**
 * The settings of an import.
 *
 * @param from the source's API, which gets random queries; null if the source is read only from its database
 * @param database the source's; null for its API
 * @param journal the known state of the source's API
 * @param isDryRun compares and plans, writes nothing
 * @param prune removes what only the target has
 * @param readCount random queries to both sides at the end, or 0
 * @param seed of these queries
 * @param parallel requests in progress at once on each side
 * @param shownMax differences and failures that are printed
 */
record Settings(RestClient from, DatabaseReader database, RestClient to, Journal journal, boolean isDryRun, boolean prune,
        int readCount, long seed, int parallel, int shownMax) {}
