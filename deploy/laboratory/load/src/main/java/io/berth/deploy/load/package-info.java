/**
 * The load generator of {@code deploy/bench}: measures a Placement service (Berth's or another) and Berth's scheduler,
 * and checks every response.
 *
 * <p>Entry point: {@link io.berth.deploy.load.LoadMain}. {@link io.berth.deploy.load.Bench} and, for {@code --marks},
 * {@link io.berth.deploy.load.Marks} measure. This package calls the services only over HTTP, and depends on no other
 * module of Berth.
 */
package io.berth.deploy.load;
