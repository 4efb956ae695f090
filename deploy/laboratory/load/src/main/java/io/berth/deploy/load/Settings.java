package io.berth.deploy.load;

import io.berth.deploy.load.fleet.Fleet;
import io.berth.deploy.load.floor.ConstantBodies;
import io.berth.deploy.load.http.Target;
import io.berth.deploy.load.report.Watched;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The settings of a run.
 *
 * @param scheduler null without one
 * @param schedulerOfReplicas of the same database, that finds placement's replicas behind a proxy; null without one
 * @param schedulerWithoutRecords of the same database, that makes no records of its decisions; null without one
 * @param situations names, empty for all
 * @param perSecond rate of an open loop, or 0 for closed loops
 * @param constantBodies null in a run that measures none
 * @param databaseUrl of a PostgreSQL for its floor, as BERTH_DATABASE_URL; null without
 * @param marks those that are measured alone; empty for all
 * @param referenceP50Ms of OpenStack's Placement for 1,000 candidates of 5,000 hosts, for comparison; 0: none
 * @param markdown file for the table of marks; null for none
 * @param keepsFleet leaves the (last) fleet in place
 */
record Settings(
        Target placement,
        Target scheduler,
        Target schedulerOfReplicas,
        Target schedulerWithoutRecords,
        List<Fleet> fleets,
        List<String> situations,
        List<Integer> connections,
        Duration warmUp,
        Duration duration,
        double perSecond,
        int loadConnections,
        long seed,
        List<Watched> watched,
        boolean floors,
        ConstantBodies constantBodies,
        String databaseUrl,
        boolean keepsFleet,
        Path file,
        List<String> marks,
        double referenceP50Ms,
        Path markdown) {
    /** Returns the settings for the results file, without token and database. */
    Map<String, String> describe() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("placement", placement.toString());
        all.put("scheduler", scheduler == null ? "none" : scheduler.toString());
        all.put("scheduler_of_replicas", schedulerOfReplicas == null ? "none" : schedulerOfReplicas.toString());
        all.put("scheduler_without_records", schedulerWithoutRecords == null ? "none" : schedulerWithoutRecords.toString());
        all.put("fleets", fleets.toString());
        all.put("connections", connections.toString());
        all.put("warm_up_s", Double.toString(warmUp.toMillis() / 1000.0));
        all.put("seconds", Double.toString(duration.toMillis() / 1000.0));
        all.put("loop", perSecond > 0 ? "open, %s per second".formatted(perSecond) : "closed");
        all.put("seed", Long.toString(seed));
        return all;
    }
}
