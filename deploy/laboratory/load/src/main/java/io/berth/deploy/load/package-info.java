/**
 * The load generator of {@code deploy/bench}: measures a Placement service (Berth's or another) and Berth's scheduler,
 * and checks every response.
 *
 * <p>Entry point: {@link io.berth.deploy.load.LoadMain}, which reads the options and starts {@link
 * io.berth.deploy.load.Bench} or, with {@code --marks}, {@link io.berth.deploy.load.Marks}. Both load fleets (package
 * {@code fleet}), play situations on them (package {@code situation}) and report the figures (package {@code report}).
 * This package calls the services only over HTTP, and depends on no other module of Berth.
 */
package io.berth.deploy.load;
