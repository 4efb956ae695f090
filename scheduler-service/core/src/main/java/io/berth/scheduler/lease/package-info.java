/**
 * Records of requests that several replicas may work on: the owner of a record writes with its number until its lease
 * expires, then any replica may take it. {@link io.berth.scheduler.lease.OpenWork} finishes records that were left
 * open. This package must not know what the records are about.
 */
package io.berth.scheduler.lease;
