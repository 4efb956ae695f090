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
 * The settings of a run of the load generator, from the options of {@link LoadMain}.
 *
 * @param placement the measured Placement service
 * @param scheduler the measured scheduler; null for none
 * @param schedulerOfReplicas a scheduler on the database of {@code scheduler} that reaches several replicas of
 *         placement through a proxy; null for none
 * @param schedulerWithoutRecords a scheduler on the database of {@code scheduler} that writes no decision records; null
 *         for none
 * @param situations names of the situations to play; empty for all that are not played once. A situation that is played
 *         once runs until its own traffic ends, and is not repeated for each number of connections
 * @param connections the numbers of connections; each situation is measured with each number, except those that are
 *         played once
 * @param warmUp how long the load of a measurement runs unmeasured before it; a situation that is played once has no
 *         warm-up
 * @param duration duration of each measurement
 * @param perSecond requests a second of open loops, which send at a fixed rate; 0 for closed loops, in which each
 *         connection waits for its response
 * @param loadConnections connections for loading and removing fleets
 * @param watched the processes whose processor time and memory are measured
 * @param measuresFloors whether to measure also the floors, for comparison what the machine can do at most: servers
 *         with constant responses, and pgbench; a run with {@code --marks} always measures them
 * @param constantBodies starts the servers with constant responses; null in a run that measures none
 * @param databaseUrl a PostgreSQL for pgbench, in the form of BERTH_DATABASE_URL; null for none
 * @param keepsFleet whether the last fleet stays in the service
 * @param resultsFile the JSON file of the results
 * @param marks in a run with {@code --marks}, names of the marks (figures with a target in docs/benchmarks.md) to
 *         measure; empty for all
 * @param referenceP50Ms median latency of OpenStack's Placement for 1,000 candidates of 5,000 hosts over 1 connection,
 *         in ms; 0 if unknown
 * @param marksTable the file for the table of marks; null for none
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
        boolean measuresFloors,
        ConstantBodies constantBodies,
        String databaseUrl,
        boolean keepsFleet,
        Path resultsFile,
        List<String> marks,
        double referenceP50Ms,
        Path marksTable) {
    /**
     * Returns the settings that are written to the results file. The token and the database URL, which contains a
     * password, must not be among them.
     */
    Map<String, String> describe() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("placement", placement.toString());
        settings.put("scheduler", scheduler == null ? "none" : scheduler.toString());
        settings.put("scheduler_of_replicas", schedulerOfReplicas == null ? "none" : schedulerOfReplicas.toString());
        settings.put("scheduler_without_records",
                schedulerWithoutRecords == null ? "none" : schedulerWithoutRecords.toString());
        settings.put("fleets", fleets.toString());
        settings.put("connections", connections.toString());
        settings.put("warm_up_s", Double.toString(warmUp.toMillis() / 1000.0));
        settings.put("seconds", Double.toString(duration.toMillis() / 1000.0));
        settings.put("loop", perSecond > 0 ? "open, %s per second".formatted(perSecond) : "closed");
        settings.put("seed", Long.toString(seed));
        return settings;
    }
}
