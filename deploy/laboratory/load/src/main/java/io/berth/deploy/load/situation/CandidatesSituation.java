package io.berth.deploy.load.situation;

import io.berth.deploy.load.fleet.Fleet;
import io.berth.deploy.load.http.Exchange;
import io.berth.deploy.load.http.Outcome;
import io.berth.deploy.load.http.Response;
import io.berth.deploy.load.http.Traffic;
import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * Measures queries for allocation candidates on a fleet that does not change. Sends the queries in turn, repeatedly.
 *
 * @param queries returns the query strings of {@code GET /allocation_candidates} for a fleet, at least one
 * @param requestsExpected returns the number of allocation requests that each response must have for a fleet
 */
record CandidatesSituation(String name, Function<Fleet, List<String>> queries, ToIntFunction<Fleet> requestsExpected)
        implements Situation {
    /**
     * One response in {@value} is parsed, and its candidates are counted. For the other responses, only status and size
     * are checked: the size must be more than half of that of a response before the measurement.
     */
    private static final int RESPONSES_PER_PARSED = 32;

    @Override
    public Act begin(Stage stage) throws InterruptedException {
        List<String> paths = queries.apply(stage.fleet()).stream().map("/allocation_candidates?"::concat).toList();
        int expected = requestsExpected.applyAsInt(stage.fleet());
        Response first = stage.call(stage.placement(), Exchange.get(name, paths.getFirst(), _ -> Outcome.GOOD));
        Outcome outcome = judge(first, expected);
        return new CandidatesAct(paths, expected, first.bytes(),
                outcome instanceof Outcome.Wrong(String reason) ? reason : null);
    }

    private Outcome judge(Response response, int expected) {
        if (response.status() != 200) {
            return response.wrong(name);
        }
        try {
            CandidateScan.Counts counts = CandidateScan.count(response.body().getBytes());
            if (counts.requests() != expected || counts.summaries() < Math.min(1, expected)) {
                return new Outcome.Wrong("%s: %d allocation requests and %d provider summaries, expected %d requests"
                        .formatted(name, counts.requests(), counts.summaries(), expected));
            }
            return Outcome.GOOD;
        } catch (IOException e) {
            return new Outcome.Wrong(name + ": the response is not JSON of candidates: " + e.getMessage());
        }
    }

    private final class CandidatesAct implements Act {
        private final List<Exchange> parsedExchanges;
        private final List<Exchange> sizedExchanges;
        private final String remark;
        private final String problem;
        private int sentCount;

        CandidatesAct(List<String> paths, int expected, long bytes, String problem) {
            this.problem = problem;
            this.remark = expected + " candidates" + (paths.size() == 1 ? "" : ", " + paths.size() + " queries");
            this.parsedExchanges = paths.stream()
                    .map(path -> Exchange.get(name, path, response -> judge(response, expected)))
                    .toList();
            // Sizes differ: numbers have different lengths, and a service may return other hosts each time.
            this.sizedExchanges = paths.stream()
                    .map(path -> new Exchange(name, HttpMethod.GET, path, null, false,
                            response -> response.status() == 200 && 2 * response.bytes() > bytes
                                    ? Outcome.GOOD
                                    : response.wrong(name + ": a response of " + response.bytes() + " bytes")))
                    .toList();
        }

        private Exchange next() {
            int number = sentCount++;
            return (number % RESPONSES_PER_PARSED == 0 ? parsedExchanges : sizedExchanges)
                    .get(number % parsedExchanges.size());
        }

        @Override
        public Traffic traffic() {
            return problem != null ? () -> null : this::next;
        }

        @Override
        public String remark() {
            return remark;
        }

        @Override
        public List<String> end() {
            return problem == null ? List.of() : List.of(problem);
        }
    }
}
