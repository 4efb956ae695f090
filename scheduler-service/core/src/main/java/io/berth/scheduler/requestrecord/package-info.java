/**
 * Records of placement requests: one for each request that places instances, written before its first claim, and closed
 * when the request is placed or rolled back. The deletion of an instance has such a record, too. {@link
 * io.berth.scheduler.requestrecord.RequestRecords} is the entry point: it finishes the records that earlier requests
 * for the same instances left open, and makes the {@link io.berth.scheduler.requestrecord.RecordedClaims} of a new
 * request. {@code selection}, {@code move}, {@code instancecleanup}, {@code api} and the module for nova's messages use
 * it. Any replica can finish a record that was left open ({@link io.berth.scheduler.requestrecord.RequestRollback}).
 * This package must not know how hosts are found.
 */
package io.berth.scheduler.requestrecord;
