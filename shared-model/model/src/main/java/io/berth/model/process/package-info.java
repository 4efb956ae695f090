/**
 * Code for the processes of both services: {@link io.berth.model.process.HealthProbe}, with which a container checks
 * its own readiness without a shell or curl, and {@link io.berth.model.process.NativeHeap}, the limit on a native
 * executable's heap.
 */
package io.berth.model.process;
