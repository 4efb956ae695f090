/**
 * Records of placement requests: one per request that places instances, written before its first claim and closed
 * when it is placed or rolled back. {@link io.berth.scheduler.requestrecord.RequestRecords} is the entry point: it
 * claims under a record, and resolves what is recorded of earlier requests. A record left open is finished by any
 * replica ({@link io.berth.scheduler.requestrecord.RequestRollback}). This package must not know how hosts are found.
 */
package io.berth.scheduler.requestrecord;
