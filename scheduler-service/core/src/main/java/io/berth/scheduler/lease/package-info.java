/**
 * Records of requests that several replicas may work on: whoever does holds a record's token until its lease is over,
 * then anybody may take it. {@link io.berth.scheduler.lease.OpenWork} finishes what was left open. Must not know what
 * the records are about.
 */
package io.berth.scheduler.lease;
