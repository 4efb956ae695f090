/**
 * Finds the hosts that placement offers for a request. {@link io.berth.scheduler.search.HostSearch} is the entry
 * point. This package queries placement and claims nothing; which request gets which host is decided elsewhere. It
 * must not know filters' verdicts, claims or routes.
 */
package io.berth.scheduler.search;
