package io.berth.deploy.migration.state;

import io.berth.deploy.http.ApiFailure;

/**
 * Reads the state of one Placement. {@code toString} returns the URL of its API or database, without a password, for
 * messages.
 */
public interface StateSource {
    /**
     * Reads the whole present state; over the API of a large service, this takes minutes.
     *
     * @throws ApiFailure if the service or database cannot be read
     */
    PlacementState read() throws ApiFailure, InterruptedException;

    /**
     * Returns whether the Placement has this trait now.
     *
     * @throws ApiFailure if the service or database cannot be read
     */
    boolean hasTrait(String name) throws ApiFailure, InterruptedException;
}
