/**
 * The targets for the figures of a run, and whether they were reached.
 *
 * <p>Start with {@link io.berth.deploy.load.mark.Mark}.
 */
package io.berth.deploy.load.mark;
