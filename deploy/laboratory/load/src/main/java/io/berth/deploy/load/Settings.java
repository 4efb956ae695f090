package io.berth.deploy.load;

import io.berth.deploy.load.fleet.Fleet;
import io.berth.deploy.load.floor.ConstantBodies;
import io.berth.deploy.load.http.Target;
import io.berth.deploy.load.report.WatchedProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The settings of a run.
 *
 * @param scheduler null if no scheduler is measured
 * @param schedulerOfReplicas a scheduler on the same database that reaches several replicas of placement through a
 *         proxy; null for none
 * @param schedulerWithoutRecords a scheduler on the same database that writes no decision records; null for none
 * @param situations names of the situations to play; empty for all
 * @param connections the numbers of connections to measure each situation with
 * @param perSecond requests a second of open loops; 0 for closed loops
 * @param loadConnections connections for loading and removing fleets
 * @param watched the processes whose processor time and memory are measured
 * @param floors whether to measure constant bodies and pgbench
 * @param constantBodies null in a run that measures no constant bodies
 * @param databaseUrl a PostgreSQL for pgbench, in the form of BERTH_DATABASE_URL; null for none
 * @param keepsFleet whether the last fleet stays in the service
 * @param file the JSON file of the results
 * @param marks names of the marks to measure; empty for all
 * @param referenceP50Ms median latency of OpenStack's Placement for 1,000 candidates of 5,000 hosts; 0 if unknown
 * @param markdown the file for the table of marks; null for none
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
        List<WatchedProcess> watched,
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
        all.put("scheduler_without_records",
                schedulerWithoutRecords == null ? "none" : schedulerWithoutRecords.toString());
        all.put("fleets", fleets.toString());
        all.put("connections", connections.toString());
        all.put("warm_up_s", Double.toString(warmUp.toMillis() / 1000.0));
        all.put("seconds", Double.toString(duration.toMillis() / 1000.0));
        all.put("loop", perSecond > 0 ? "open, %s per second".formatted(perSecond) : "closed");
        all.put("seed", Long.toString(seed));
        return all;
    }
}
