/**
 * How a service reaches its database: {@link io.berth.database.DatabaseOptions} makes Quarkus' options of one URL,
 * {@link io.berth.database.DatabaseAtStart} waits for it or ends the start,
 * {@link io.berth.database.PoolLimits} makes pools whose connections give up and lead to one primary
 * ({@link io.berth.database.CurrentPrimary}), and {@link io.berth.database.SqlFault}
 * judges what comes back instead of an answer; {@link io.berth.database.Deadlocks} repeats what may succeed at once.
 * {@link io.berth.database.SnapshotFeed} keeps what is held in memory fresh; {@link io.berth.database.ChangeTable} and
 * {@link io.berth.database.Origin} tell what a snapshot does not show. Which schema, which pools and which limits is said in
 * the {@code db} package of each service. Holds no SQL but that of changes.
 */
package io.berth.database;
