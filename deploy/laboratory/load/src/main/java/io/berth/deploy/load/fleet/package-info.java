/**
 * The resource providers that a benchmark creates in a Placement service (a fleet): their content, the requests that
 * create and delete them, and the usage that they should have after the claims so far.
 *
 * <p>Entry point: {@link io.berth.deploy.load.fleet.Fleet}. All names and amounts follow from a fleet's shape and size,
 * so that two services get equal requests. This package depends on no other package of Berth but
 * {@code io.berth.deploy.load.http}.
 */
package io.berth.deploy.load.fleet;
