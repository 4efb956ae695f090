/**
 * The history of operators' changes, which operators can query; each service has its own table. {@link
 * io.berth.database.change.OperatorChanges} receives the changes and writes them, {@link
 * io.berth.database.change.ChangeSearch} is a client's query, {@link io.berth.database.change.ChangeStore} has the SQL.
 */
package io.berth.database.change;
