package io.berth.scheduler.scenariochange;

/** One change of a scenario. A scenario is a cloud with changes that are evaluated and not made. */
interface ScenarioChange {
    /**
     * Applies this change to the cloud with the earlier changes. Blocks; for the analysis worker only. Throws ApiFault
     * with the path of this change in the body: 404 for a host, aggregate or instance that does not exist, 400 for a
     * change that is impossible or contradicts an earlier change, 413 if the changes so far name too many providers and
     * hosts. Throws {@link DeadlineExceeded} at the deadline.
     */
    void make(ScenarioCloud cloud);
}
