/**
 * A service's access to its database: {@link io.berth.database.DatabaseOptions} derives Quarkus' options from one URL,
 * {@link io.berth.database.DatabaseAtStart} waits for the database or ends the start, {@link
 * io.berth.database.PoolLimits} creates pools whose connections time out and lead to the same primary ({@link
 * io.berth.database.CurrentPrimary}). {@link io.berth.database.SqlFault} classifies failures; {@link
 * io.berth.database.Deadlocks} repeats transactions that may succeed if they are run again at once. {@link
 * io.berth.database.SnapshotFeed} keeps data in memory fresh; {@link io.berth.database.ChangeTable} finds the changes
 * that a snapshot does not show, and {@link io.berth.database.Origin} shows whether the snapshot belongs to that table.
 * The {@code db} package of each service defines its schema, pools and limits. The package's own SQL only reads and
 * prunes changes and checks connections.
 */
package io.berth.database;
