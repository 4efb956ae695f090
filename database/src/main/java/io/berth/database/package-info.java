/**
 * How a service reaches its database: {@link io.berth.database.DatabaseOptions} makes Quarkus' options of one URL,
 * {@link io.berth.database.PoolLimits} makes pools whose connections give up, and {@link io.berth.database.SqlFault}
 * judges what comes back instead of an answer. Which schema, which pools and which limits is said in the {@code db}
 * package of each service. Holds no SQL.
 */
package io.berth.database;
