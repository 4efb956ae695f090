/**
 * Placement's access to its database: the URL, the locks, the catalogue's transactions, the record of changes that the
 * fleet reads. The schema is in {@code resources/db/placement}. Must not depend on other packages of placement.
 */
package io.berth.placement.db;
