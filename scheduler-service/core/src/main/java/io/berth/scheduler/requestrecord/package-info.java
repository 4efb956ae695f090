/**
 * Records of placement requests: one per request that places instances, written before its first claim and closed
 * when it is placed or rolled back. {@link io.berth.scheduler.requestrecord.RequestRecords} is the entry point: it
 * records a request before claiming, and resolves the unfinished claims of earlier requests. Any replica can finish a
 * record that was left open ({@link io.berth.scheduler.requestrecord.RequestRollback}). This package must not know how
 * hosts are found.
 */
package io.berth.scheduler.requestrecord;
