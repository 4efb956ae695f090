/**
 * The resource providers under load: the content of a fleet, loading it, removing it, and its expected use.
 *
 * <p>Start with {@link io.berth.deploy.load.fleet.Fleet}. Everything about a fleet follows from its shape and size, so
 * two services loaded with it get equal requests. Depends on {@code http} alone.
 */
package io.berth.deploy.load.fleet;
