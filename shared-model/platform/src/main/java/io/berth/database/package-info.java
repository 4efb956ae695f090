/**
 * A service's access to its database: {@link io.berth.database.DatabaseOptions} derives Quarkus' options from one URL,
 * {@link io.berth.database.DatabaseAtStart} waits for it or ends the start, {@link io.berth.database.PoolLimits}
 * creates pools whose connections time out and lead to one primary ({@link io.berth.database.CurrentPrimary}), and
 * {@link io.berth.database.SqlFault} classifies failures; {@link io.berth.database.Deadlocks} repeats what may succeed
 * at once. {@link io.berth.database.SnapshotFeed} keeps what is held in memory fresh; {@link
 * io.berth.database.ChangeTable} and {@link io.berth.database.Origin} find what a snapshot does not show. The schema,
 * the pools and the limits are defined in the {@code db} package of each service. Holds no SQL but that of changes.
 */
package io.berth.database;
