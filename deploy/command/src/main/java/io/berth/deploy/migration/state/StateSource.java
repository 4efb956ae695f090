package io.berth.deploy.migration.state;

import io.berth.deploy.http.ApiFailure;

/** Where a state can be read; its text is what messages call it. */
public interface StateSource {
    PlacementState read() throws ApiFailure, InterruptedException;

    /** Returns whether it knows this trait now. */
    boolean hasTrait(String name) throws ApiFailure, InterruptedException;
}
