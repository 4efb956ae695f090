package io.berth.scheduler.scenariochange;

/** One change of a scenario, a cloud whose changes are evaluated and not made. */
interface ScenarioChange {
    /**
     * Applies this change to the cloud with the earlier changes. Blocks; for the analysis worker only. Throws ApiFault
     * with the path of this change in the body: 404 for a host or instance that does not exist, 400 for a change that
     * is impossible or contradicts an earlier change.
     */
    void make(ScenarioCloud cloud);
}
