package io.berth.scheduler.scenariochange;

/** One change of the cloud. */
interface Change {
    /**
     * Throws ApiFault with the path: 404 for a host or instance that does not exist, 400 for an impossible change or
     * one that contradicts an earlier change.
     */
    void make(Cloud cloud);
}
