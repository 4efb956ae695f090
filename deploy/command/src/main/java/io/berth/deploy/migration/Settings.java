package io.berth.deploy.migration;

import io.berth.deploy.http.RestClient;
import io.berth.deploy.migration.state.DatabaseReader;
import io.berth.deploy.migration.state.Journal;

/**
 * The settings of an import or export.
 *
 * @param from the source's API, which gets random queries; null if an import reads the source only from its database
 * @param database the other Placement's, which is not Berth; null for its API
 * @param journal the known state of the other Placement's API
 * @param isDryRun compares and plans, writes nothing
 * @param prune removes what only the target has
 * @param readCount random queries to both sides at the end, or 0
 * @param seed of these queries
 * @param parallel requests in progress at once on each side
 * @param shownMax differences and failures that are printed
 */
record Settings(Direction direction, RestClient from, RestClient to, DatabaseReader database, Journal journal,
        boolean isDryRun, boolean prune, int readCount, long seed, int parallel, int shownMax) {
    /** Returns the API of the other Placement; null if an import reads the source only from its database. */
    RestClient other() {
        return direction == Direction.IMPORT ? from : to;
    }

    RestClient berth() {
        return direction == Direction.IMPORT ? to : from;
    }
}
