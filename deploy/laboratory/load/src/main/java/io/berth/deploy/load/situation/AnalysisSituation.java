package io.berth.deploy.load.situation;

import io.berth.deploy.load.http.ClientConnections;
import io.berth.deploy.load.http.Driver;
import io.berth.deploy.load.http.Exchange;
import io.berth.deploy.load.http.Measurements;
import io.berth.deploy.load.http.Outcome;
import io.berth.deploy.load.http.Response;
import io.berth.deploy.load.http.Target;
import io.berth.deploy.load.http.Traffic;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * Measures decisions of the scheduler while operators query the scheduler: {@value #QUERIES_PER_S} queries a second on
 * {@value #CONNECTIONS} further connections, at a fixed rate. The five kinds of queries (list of decisions, decision
 * record, explanation, capacity, what-if) take turns; while no decision is known, capacity is queried instead of a
 * decision record. The queries name registered hosts, and flavors of {@link RequestMix}.
 *
 * @param decisions the situation whose decisions are measured while the queries are sent
 */
record AnalysisSituation(String name, Situation decisions) implements Situation {
    private static final double QUERIES_PER_S = 5;
    private static final int CONNECTIONS = 2;
    private static final int LIST_LIMIT = 20;
    private static final int KINDS = 5;
    /** Longer than any measurement: {@link AnalysisLoad#stopConcurrentTraffic} ends the queries earlier. */
    private static final Duration UNLIMITED = Duration.ofHours(6);

    @Override
    public Target target(Stage stage) {
        return decisions.target(stage);
    }

    @Override
    public Act begin(Stage stage) throws InterruptedException {
        List<String> problems = stage.region().registerHosts(stage);
        return new AnalysisLoad(stage, decisions.begin(stage), problems);
    }

    private final class AnalysisLoad implements Act {
        private final Stage stage;
        private final Act decisionAct;
        private final List<String> problems;
        private final SplittableRandom random;
        private final CompletableFuture<Measurements> queryMeasurements = new CompletableFuture<>();
        private volatile boolean isEnded;
        /** The id of the latest decision in the last list of decisions; null if there is none. */
        private String decisionId;
        private int requestCount;

        AnalysisLoad(Stage stage, Act decisionAct, List<String> problems) {
            this.stage = stage;
            this.decisionAct = decisionAct;
            this.problems = problems;
            this.random = new SplittableRandom(stage.seed());
            Thread.ofVirtual().start(this::sendQueries);
        }

        private void sendQueries() {
            try (ClientConnections connections = new ClientConnections(stage.vertx(), target(stage), CONNECTIONS)) {
                queryMeasurements.complete(new Driver(stage.vertx(), connections)
                        .openLoop(() -> isEnded ? null : next(), UNLIMITED, QUERIES_PER_S));
            } catch (InterruptedException | RuntimeException e) {
                queryMeasurements.completeExceptionally(e);
            }
        }

        @Override
        public Traffic traffic() {
            return problems.isEmpty() ? decisionAct.traffic() : () -> null;
        }

        private Exchange next() {
            return switch (requestCount++ % KINDS) {
                case 0 -> Exchange.get(kind("list"), "/v1/decisions?limit=" + LIST_LIMIT, this::judgeList);
                case 1 -> decisionId == null ? capacity() : record(decisionId);
                case 2 -> Exchange.post(kind("explanation"), "/v1/explanations",
                        "{\"request_spec\":" + spec() + ",\"hosts\":[\"" + host() + "\"]}",
                        response -> judge(response, response.json().path("hosts").size() == 1));
                case 3 -> capacity();
                default -> Exchange.post(kind("what-if"), "/v1/what_if",
                        "{\"changes\":[{\"disable\":{\"hosts\":[\"" + host() + "\"]}}],\"ask\":{\"placements\":["
                                + spec() + "]}}",
                        response -> judge(response, response.json().path("after").path("placements").size() == 1));
            };
        }

        private Exchange record(String id) {
            return Exchange.get(kind("record"), "/v1/decisions/" + id,
                    response -> judge(response, response.json().path("decision_id").asText().equals(id)));
        }

        private Exchange capacity() {
            return Exchange.post(kind("capacity"), "/v1/capacity",
                    "{\"requests\":[{\"name\":\"asked\",\"request_spec\":" + spec() + "}],\"by\":[\"zone\"]}",
                    response -> judge(response, response.json().path("requests").path(0).path("count").isNumber()));
        }

        private Outcome judgeList(Response response) {
            String latest = response.json().path("decisions").path(0).path("decision_id").asText();
            decisionId = latest.isEmpty() ? null : latest;
            return judge(response, true);
        }

        private Outcome judge(Response response, boolean isRight) {
            return response.status() == 200 && isRight ? Outcome.GOOD : response.wrong(name + ", an operator's query");
        }

        private String kind(String query) {
            return name + ", " + query;
        }

        private String spec() {
            return stage.region().mix().draw(random).spec();
        }

        private String host() {
            return stage.fleet().rootName(random.nextInt(stage.fleet().size()));
        }

        @Override
        public Measurements stopConcurrentTraffic() throws InterruptedException {
            isEnded = true;
            try {
                return queryMeasurements.join();
            } catch (CompletionException e) {
                throw new IllegalStateException(e.getCause());
            }
        }

        @Override
        public List<String> end() throws InterruptedException {
            stopConcurrentTraffic();
            List<String> allProblems = new ArrayList<>(problems);
            allProblems.addAll(decisionAct.end());
            allProblems.addAll(stage.region().takeHeartbeatProblems());
            return allProblems;
        }
    }
}
