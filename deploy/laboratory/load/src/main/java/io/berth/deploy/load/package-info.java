/**
 * The program behind {@code deploy/bench}: load on a Placement service, Berth's or any other, and on the scheduler,
 * with every response checked.
 *
 * <p>Entry point: {@link io.berth.deploy.load.LoadMain}; the run itself is {@link io.berth.deploy.load.Bench}. Talks
 * HTTP like any other client: depends on no other module of Berth.
 */
package io.berth.deploy.load;
