/**
 * What a Placement service knows, as one value, and how two of them differ. Generations and dates are left out: they
 * count the writes of their own service.
 *
 * <p>Entry points: {@link io.berth.deploy.migration.state.PlacementState}, {@link io.berth.deploy.migration.state.StateReader}
 * over the API, {@link io.berth.deploy.migration.state.DatabaseReader} out of the tables.
 */
package io.berth.deploy.migration.state;
