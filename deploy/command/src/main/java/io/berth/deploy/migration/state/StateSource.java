package io.berth.deploy.migration.state;

import io.berth.deploy.http.ApiFailure;

/** Reads the state of one Placement. {@code toString} returns its URL, without a password, for messages. */
public interface StateSource {
    /**
     * Reads the whole present state; takes minutes for a large service.
     *
     * @throws ApiFailure if the service or database cannot be read
     */
    PlacementState read() throws ApiFailure, InterruptedException;

    /** Returns whether the Placement has this trait now. */
    boolean hasTrait(String name) throws ApiFailure, InterruptedException;
}
