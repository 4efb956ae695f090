/**
 * The state of a Placement service as one value, the readers of this value, and the comparison of two states. A state
 * has no generations or timestamps, because these differ between services with the same content.
 *
 * <p>Entry points: {@link io.berth.deploy.migration.state.PlacementState},
 * {@link io.berth.deploy.migration.state.StateReader} over the API,
 * {@link io.berth.deploy.migration.state.DatabaseReader} from the tables.
 */
package io.berth.deploy.migration.state;
