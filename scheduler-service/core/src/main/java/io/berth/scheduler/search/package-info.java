/**
 * Finds the hosts that placement offers for a request, and explains why it offers none. The entry point is
 * {@link io.berth.scheduler.search.HostSearch}; {@code selection} uses it for decisions, and analyses for their
 * queries. This package queries placement and claims nothing. It must not know the verdicts of filters, claims or
 * routes.
 */
package io.berth.scheduler.search;
