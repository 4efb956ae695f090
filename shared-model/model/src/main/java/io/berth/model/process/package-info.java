/**
 * Code that the processes of both services share apart from the wire: {@link io.berth.model.process.HealthProbe}, with
 * which a container checks its own readiness without a shell or curl. Depends only on the JDK.
 */
package io.berth.model.process;
