/**
 * Who changed what of that which operators keep, in a table of each service that can be queried: {@link
 * io.berth.database.change.OperatorChanges} takes the changes and writes them, {@link
 * io.berth.database.change.ChangeSearch} is what a client looks for.
 */
package io.berth.database.change;
