/**
 * The history of changes that operators make, in a table of each service that can be queried: {@link
 * io.berth.database.change.OperatorChanges} receives the changes and writes them, {@link
 * io.berth.database.change.ChangeSearch} is a client's query.
 */
package io.berth.database.change;
