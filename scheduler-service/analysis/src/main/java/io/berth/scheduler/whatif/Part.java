package io.berth.scheduler.whatif;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.question.Snapshot;

/** One of the questions, asked about two clouds. */
interface Part {
    /** The member of {@code ask}, and of the answers. */
    String name();

    /** Waits: for the question's worker. What is cut says so in the gaps. */
    JsonNode ask(Snapshot cloud, Gaps gaps);

    /** What is another, of two answers of {@link #ask}. ApiFault (400) for what was wrong both times. */
    JsonNode difference(JsonNode before, JsonNode after, Snapshot changed);
}
