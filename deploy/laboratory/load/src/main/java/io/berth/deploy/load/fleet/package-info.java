/**
 * The resource providers under load: what a fleet consists of, loading it, removing it, and what it must hold.
 *
 * <p>Start with {@link io.berth.deploy.load.fleet.Fleet}. Everything about a fleet follows from its shape and size,
 * so two services loaded alike are asked alike. Depends on {@code http} alone.
 */
package io.berth.deploy.load.fleet;
