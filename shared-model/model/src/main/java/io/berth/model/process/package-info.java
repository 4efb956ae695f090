/**
 * What the processes of both services share besides the wire: {@link io.berth.model.process.HealthProbe}, with which a
 * container asks itself whether it is ready, without a shell or curl. Depends on nothing but the JDK.
 */
package io.berth.model.process;
