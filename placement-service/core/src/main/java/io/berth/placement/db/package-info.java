/**
 * Placement's access to its database: the connection pools, the locks, the transactions of the catalogue, and the
 * record of changes that the fleet in memory reads. The schema is in {@code resources/db/placement}.
 *
 * <p>Entry points: {@link io.berth.placement.db.CatalogueTransactions} for writes, {@link io.berth.placement.db.Reads}
 * for reads. Every package with SQL uses this one, which must not depend on other packages of placement.
 */
package io.berth.placement.db;
