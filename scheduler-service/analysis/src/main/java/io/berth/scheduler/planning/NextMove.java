package io.berth.scheduler.planning;

import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.scheduler.json.WrittenJson;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.util.UUID;

/** A move that may begin now. */
public final class NextMove {
    private final Movable movable;
    private final @Nullable Step step;

    /** @param step the move; null if the instance's request, and thus the destination, is unknown */
    NextMove(Movable movable, @Nullable Step step) {
        this.movable = movable;
        this.step = step;
    }

    public UUID instance() {
        return movable.uuid();
    }

    /** Returns the name of the suggested destination; null if the instance's request is unknown. */
    public @Nullable String host() {
        return step == null ? null : step.to().host();
    }

    /**
     * Writes the members of the move into the open object.
     *
     * @param name name of the instance; null: none
     * @param migration uuid of the migration in the call; null: writes no call
     */
    public void render(JsonGenerator json, @Nullable String name, @Nullable UUID migration) throws IOException {
        WrittenJson.writeIfAny(json, "name", name);
        if (step != null) {
            step.render(json, migration);
        } else {
            json.writeStringField("instance", movable.uuid().toString());
            json.writeStringField("from", movable.origin().host());
            json.writeNullField("host");
        }
    }
}
