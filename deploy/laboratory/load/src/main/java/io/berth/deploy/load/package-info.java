/**
 * The load generator of {@code deploy/bench}: measures a Placement service (Berth's or another) and Berth's scheduler,
 * and checks every response.
 *
 * <p>Entry point: {@link io.berth.deploy.load.LoadMain}; the measurements are in {@link io.berth.deploy.load.Bench}
 * and, for {@code --marks}, in {@link io.berth.deploy.load.Marks}. Calls the services only over HTTP: depends on no
 * other module of Berth.
 */
package io.berth.deploy.load;
