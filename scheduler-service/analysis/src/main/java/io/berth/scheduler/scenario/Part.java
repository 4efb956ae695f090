package io.berth.scheduler.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.job.Snapshot;

/** One part of the analysis, computed for two clouds. */
interface Part {
    /** Returns the member of {@code ask}, and of the response. */
    String name();

    /** Blocks: for the analysis worker. An incomplete result is noted in the gaps. */
    JsonNode ask(Snapshot cloud, Gaps gaps);

    /** Returns the difference between two results of {@link #ask}. Throws ApiFault (400) if both are invalid. */
    JsonNode difference(JsonNode before, JsonNode after, Snapshot changed);
}
