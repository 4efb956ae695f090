package io.berth.scheduler.capacity;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.json.StrictObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Counts how many instances of requests fit, by the same rules as {@code POST /v1/capacity}, for the analysis of a
 * scenario.
 */
public final class CapacityAnalysis {
    private final CapacityBody body;

    private CapacityAnalysis(CapacityBody body) {
        this.body = body;
    }

    /**
     * Reads a body of {@code POST /v1/capacity} without its member {@code timeout_s}, or only the value of its member
     * {@code requests}. Throws ApiFault: 400 with the path of the invalid member, 413 for more requests than one call
     * may have.
     */
    public static CapacityAnalysis read(JsonNode value, String path) {
        return new CapacityAnalysis(value.isArray()
                ? CapacityBody.of(value, path)
                : StrictObject.objectOf(body -> CapacityBody.read(body, path)).read(value, path));
    }

    /**
     * Counts all requests. Blocks; for the analysis worker only. An invalid request does not fail the analysis: its
     * count is 0, with the error in the member {@code refused}.
     */
    public Counts count(Snapshot snapshot) {
        return new Counts(
                CapacityEndpoint.tallies(CapacityCounting.leniently(snapshot, new Split(body.by(), snapshot)), body));
    }

    /**
     * Counts one request in order to validate it. Throws ApiFault (400) with the path of the request if a decision
     * would refuse the request as invalid. Blocks; for the analysis worker only.
     *
     * @param request index of the request in the body
     */
    public void requireValid(int request, Snapshot snapshot) {
        new CapacityCounting(snapshot, new Split(Set.of(), snapshot)).countEach(List.of(body.requests().get(request)));
    }

    /** The result of counting. */
    public final class Counts {
        private final List<Tally> tallies;

        private Counts(List<Tally> tallies) {
            this.tallies = tallies;
        }

        /**
         * Returns the reasons for which counts are incomplete, each with the name of its request; empty if all are
         * complete.
         */
        public List<String> gaps() {
            List<String> gaps = new ArrayList<>();
            for (int i = 0; i < tallies.size(); i++) {
                if (tallies.get(i).whyIncomplete() != null) {
                    gaps.add(body.requests().get(i).name() + ": " + tallies.get(i).whyIncomplete());
                }
            }
            return gaps;
        }

        /** Writes the counts as the member {@code requests} in a response of {@code POST /v1/capacity}. */
        public void write(JsonGenerator json) throws IOException {
            new CapacityJson(body).writeRequests(json, tallies);
        }
    }
}
