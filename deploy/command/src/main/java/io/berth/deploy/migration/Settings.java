package io.berth.deploy.migration;

import io.berth.deploy.http.RestClient;
import io.berth.deploy.migration.state.DatabaseReader;
import io.berth.deploy.migration.state.Journal;
import jakarta.annotation.Nullable;
import java.util.Objects;

/**
 * The settings of an import or export. "The other Placement" is the side that is not the Berth of this run.
 *
 * @param from the source's API; null if an import reads the source only from its database
 * @param to the target's API
 * @param database the other Placement's database; null to read the other Placement over its API
 * @param journal earlier reads of the other Placement over its API; not used with a database
 * @param isDryRun whether to compare and plan only, without writes
 * @param prune whether to remove what only the target has
 * @param queryCount number of random queries for which the responses of both sides are compared at the end; 0 for none.
 *         Unless it is a dry run, a run compares them only if no write failed and the states are equal
 * @param seed the seed of the random queries
 * @param parallel maximum number of requests in progress at the same time
 * @param shownMax maximum number of printed lines of each list of obstacles, failures or differences
 */
record Settings(
        Direction direction, @Nullable RestClient from, RestClient to, @Nullable DatabaseReader database,
        Journal journal, boolean isDryRun, boolean prune, int queryCount, long seed, int parallel, int shownMax) {
    /** Returns the API of the other Placement; null if an import reads the source only from its database. */
    @Nullable RestClient other() {
        return direction == Direction.IMPORT ? from : to;
    }

    /** Returns the API of the Berth of this run. */
    RestClient berth() {
        // Only an import may have no source API.
        return direction == Direction.IMPORT ? to : Objects.requireNonNull(from);
    }
}
