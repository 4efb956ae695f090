package io.berth.deploy.migration.state;

import io.berth.deploy.http.ApiFailure;

/** A source of a state; its text is its name in messages. */
public interface StateSource {
    PlacementState read() throws ApiFailure, InterruptedException;

    /** Returns whether it has this trait now. */
    boolean hasTrait(String name) throws ApiFailure, InterruptedException;
}
