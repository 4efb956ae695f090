package io.berth.scheduler.capacity;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.json.StrictObject;
import io.berth.scheduler.question.Snapshot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The question of POST /v1/capacity, as a part of another. */
public final class CapacityQuestion {
    private final CapacityBody asked;

    private CapacityQuestion(CapacityBody asked) {
        this.asked = asked;
    }

    /**
     * The body of that route without its time, or its requests alone. Throws ApiFault: 400 with the path of what is wrong,
     * 413 for more requests than one question takes.
     */
    public static CapacityQuestion read(JsonNode value, String path) {
        return new CapacityQuestion(value.isArray()
                ? CapacityBody.of(value, path)
                : StrictObject.objectOf(body -> CapacityBody.read(body, path)).read(value, path));
    }

    /** Waits: for the question's worker. A request that is wrong is told as refused. */
    public Counts count(Snapshot cloud) {
        return new Counts(CapacityEndpoint.tallies(Counting.leniently(cloud, new Split(asked.by(), cloud)), asked));
    }

    /** ApiFault with its path (400) if decisions would refuse this request as wrong. */
    public void requireRight(int request, Snapshot cloud) {
        new Counting(cloud, new Split(Set.of(), cloud)).each(List.of(asked.requests().get(request)));
    }

    /** What was counted. */
    public final class Counts {
        private final List<Tally> tallies;

        private Counts(List<Tally> tallies) {
            this.tallies = tallies;
        }

        /** What was not counted to the end. */
        public List<String> gaps() {
            List<String> gaps = new ArrayList<>();
            for (int i = 0; i < tallies.size(); i++) {
                if (tallies.get(i).why() != null) {
                    gaps.add(asked.requests().get(i).name() + ": " + tallies.get(i).why());
                }
            }
            return gaps;
        }

        /** The member {@code requests} of that route. */
        public void write(JsonGenerator json) throws IOException {
            new CapacityJson(asked).writeRequests(json, tallies);
        }
    }
}
