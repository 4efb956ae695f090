/**
 * Why not this host, and what would admit it? {@link io.berth.scheduler.explain.ExplanationsEndpoint} evaluates both
 * phases for each host, whatever other hosts there are, and tries changes until the host is admissible. Claims and
 * writes nothing.
 */
package io.berth.scheduler.explain;
