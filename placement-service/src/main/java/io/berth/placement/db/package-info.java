/**
 * How placement reaches its database: the URL, the locks, the catalogue's transactions, SQLSTATEs. The schema is in
 * {@code resources/db/placement}.
 */
package io.berth.placement.db;
