/**
 * The queryable history of operators' changes; each service has its own table. {@link
 * io.berth.database.change.OperatorChanges} receives the changes and writes them, {@link
 * io.berth.database.change.ChangeSearch} is a client's query.
 */
package io.berth.database.change;
