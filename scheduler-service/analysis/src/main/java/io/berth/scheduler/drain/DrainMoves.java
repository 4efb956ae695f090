package io.berth.scheduler.drain;

import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.json.JsonLists;
import io.berth.scheduler.job.AsOf;
import io.berth.scheduler.planning.NextMoves;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The next moves of a drain.
 *
 * @param drain name of the drain
 * @param found the moves that may begin now, and the number of moves in progress
 * @param remaining number of instances on the hosts that have not begun to move, including those of {@code found}
 * @param names names of the instances, by uuid; an instance may have none
 * @param lastMoves by instance, the uuid of its last migration that did not fail; an instance without such a migration
 * is missing. Null if nova moves the instances, not Berth
 * @param gaps descriptions of what was not evaluated
 */
record DrainMoves(
        AsOf asOf, String drain, NextMoves.Found found, int remaining, Map<UUID, String> names,
        @Nullable Map<UUID, UUID> lastMoves, List<String> gaps) {
    /** Returns the state; it is {@code MOVING} also if the time was up before it was known that no move may begin. */
    DrainState state() {
        if (!found.moves().isEmpty() || found.isLate()) {
            return DrainState.MOVING;
        }
        return found.underWay() > 0 ? DrainState.WAITING : remaining > 0 ? DrainState.STUCK : DrainState.DONE;
    }

    void render(JsonGenerator json) throws IOException {
        asOf.render(json);
        json.writeStringField("drain", drain);
        json.writeStringField("state", state().wireName());
        json.writeNumberField("under_way", found.underWay());
        json.writeNumberField("remaining", remaining);
        JsonLists.writeObjects(json, "moves", found.moves(), each -> each.render(
                json, names.get(each.instance()),
                lastMoves == null ? null : migration(each.instance(), lastMoves.get(each.instance()))));
        JsonLists.writeTexts(
                json, "commands",
                found.moves().stream().map(each -> NovaCommands.migrate(each.instance(), each.host())).toList());
        json.writeBooleanField("complete", gaps.isEmpty());
        JsonLists.writeTexts(json, "gaps", gaps);
    }

    /**
     * Returns the uuid of the migration in the call of a move. It is computed from the names, so that it stays the same
     * until a move of the instance begins and does not fail. {@code POST /v1/moves} makes only one move for a
     * migration, so that a move which several clients request is made once.
     *
     * @param lastMove uuid of the instance's last migration that did not fail; null if there is none
     */
    private UUID migration(UUID instance, @Nullable UUID lastMove) {
        String move = "drain %s: %s after %s".formatted(drain, instance, lastMove);
        return UUID.nameUUIDFromBytes(move.getBytes(StandardCharsets.UTF_8));
    }
}
