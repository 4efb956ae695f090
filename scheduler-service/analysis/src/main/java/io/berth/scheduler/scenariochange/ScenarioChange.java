package io.berth.scheduler.scenariochange;

/** One change of a scenario. */
interface ScenarioChange {
    /**
     * Applies this change after the earlier ones. Blocks; for the analysis worker only. Throws ApiFault with the path
     * in the body: 404 for a host or instance that does not exist, 400 for an impossible change or one that contradicts
     * an earlier change.
     */
    void make(ScenarioCloud cloud);
}
