/**
 * Records of placement requests: one for each request that places instances, written before its first claim, and closed
 * when the request is placed or rolled back. {@link io.berth.scheduler.requestrecord.RequestRecords} is the entry
 * point: it resolves what earlier requests for the same instances left, and makes the
 * {@link io.berth.scheduler.requestrecord.RecordedClaims} of a new one. {@code selection}, {@code move},
 * {@code instancecleanup} and the messages of nova use it. Any replica can finish a record that was left open
 * ({@link io.berth.scheduler.requestrecord.RequestRollback}). This package must not know how hosts are found.
 */
package io.berth.scheduler.requestrecord;
