/**
 * Why not this host, and what would admit it? {@link io.berth.scheduler.whynot.ExplanationsEndpoint} asks both
 * phases about each host, whatever others there are, and tries changes until the host would do. Claims and writes nothing.
 */
package io.berth.scheduler.whynot;
