/**
 * The resource providers on which load is measured: the content of a fleet, the requests that load and remove it, and
 * its expected use.
 *
 * <p>Entry point: {@link io.berth.deploy.load.fleet.Fleet}. All names and amounts follow from a fleet's shape and size,
 * so that two services get equal requests. Depends on {@code http} only.
 */
package io.berth.deploy.load.fleet;
