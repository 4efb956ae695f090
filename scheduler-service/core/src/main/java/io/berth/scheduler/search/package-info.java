/**
 * Which hosts does placement offer for a request? {@link io.berth.scheduler.search.HostSearch} is the entry point. Asks
 * placement and claims nothing; who gets which of the hosts is decided elsewhere. Must not know filters' verdicts, claims
 * or routes.
 */
package io.berth.scheduler.search;
