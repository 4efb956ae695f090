/**
 * A boot is a move from nowhere: one record per request that places instances, written before its first claim and
 * closed when it is placed or taken back. {@link io.berth.scheduler.boot.Boots} is the entry point: it claims under a
 * record, and says what is known of an earlier request. A record left open is finished by any replica
 * ({@link io.berth.scheduler.boot.BootUndo}). Must not know how hosts are found.
 */
package io.berth.scheduler.boot;
