/**
 * The state of a Placement service as one value, and the differences of two. Excludes generations and timestamps, which
 * legitimately differ between services.
 *
 * <p>Entry points: {@link io.berth.deploy.migration.state.PlacementState},
 * {@link io.berth.deploy.migration.state.StateReader} over the API,
 * {@link io.berth.deploy.migration.state.DatabaseReader} from the tables.
 */
package io.berth.deploy.migration.state;
