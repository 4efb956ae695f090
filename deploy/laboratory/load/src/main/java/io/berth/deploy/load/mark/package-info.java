/**
 * What the figures of a run are to reach, and whether they did.
 *
 * <p>Start with {@link io.berth.deploy.load.mark.Mark}.
 */
package io.berth.deploy.load.mark;
