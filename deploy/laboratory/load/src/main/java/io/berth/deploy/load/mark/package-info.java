/**
 * The targets of Berth's performance, and whether a run of {@code deploy/bench --marks} reached them.
 *
 * <p>Entry point: {@link io.berth.deploy.load.mark.Mark}; {@code io.berth.deploy.load.Marks} creates the marks.
 */
package io.berth.deploy.load.mark;
