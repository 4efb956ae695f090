package io.berth.scheduler.capacity;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.json.StrictObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Counts as {@code POST /v1/capacity} does, as a part of another analysis. */
public final class CapacityAnalysis {
    private final CapacityBody body;

    private CapacityAnalysis(CapacityBody body) {
        this.body = body;
    }

    /**
     * Reads the body of that route without its deadline, or only the list of its requests. Throws ApiFault: 400 with
     * the path of the invalid member, 413 for more requests than one call may have.
     */
    public static CapacityAnalysis read(JsonNode value, String path) {
        return new CapacityAnalysis(value.isArray()
                ? CapacityBody.of(value, path)
                : StrictObject.objectOf(body -> CapacityBody.read(body, path)).read(value, path));
    }

    /**
     * Counts all requests. Blocks; for the analysis worker only. An invalid request does not fail, but has the member
     * {@code refused}.
     */
    public Counts count(Snapshot cloud) {
        return new Counts(
                CapacityEndpoint.tallies(CapacityCounting.leniently(cloud, new Split(body.by(), cloud)), body));
    }

    /**
     * Throws ApiFault (400) with the path of a request if a decision would refuse the request as invalid. Blocks.
     *
     * @param request position of the request
     */
    public void requireRight(int request, Snapshot cloud) {
        new CapacityCounting(cloud, new Split(Set.of(), cloud)).each(List.of(body.requests().get(request)));
    }

    /** The result of counting. */
    public final class Counts {
        private final List<Tally> tallies;

        private Counts(List<Tally> tallies) {
            this.tallies = tallies;
        }

        /** Describes which counts are incomplete; empty if all are complete. */
        public List<String> gaps() {
            List<String> gaps = new ArrayList<>();
            for (int i = 0; i < tallies.size(); i++) {
                if (tallies.get(i).why() != null) {
                    gaps.add(body.requests().get(i).name() + ": " + tallies.get(i).why());
                }
            }
            return gaps;
        }

        /** Writes the value of the member {@code requests} of that route's response. */
        public void write(JsonGenerator json) throws IOException {
            new CapacityJson(body).writeRequests(json, tallies);
        }
    }
}
