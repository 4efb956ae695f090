package io.berth.deploy.load.situation;

import io.berth.deploy.load.http.Exchange;
import io.berth.deploy.load.http.Outcome;
import io.berth.deploy.load.http.Response;
import io.berth.deploy.load.http.Traffic;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.function.Function;

/**
 * Measures two situations at the same time, each with half of the connections, so that slow responses in one situation
 * do not raise the rate of the other situation. Both send requests to placement.
 */
record SharedSituation(String name, Situation first, Situation second) implements Situation {
    @Override
    public Act begin(Stage stage) throws InterruptedException {
        return new SharedAct(first.begin(stage), second.begin(stage));
    }

    private record SharedAct(Act first, Act second) implements Act {
        @Override
        public Traffic traffic() {
            return new Halves(first.traffic(), second.traffic());
        }

        @Override
        public String remark() {
            return first.remark();
        }

        @Override
        public List<String> end() throws InterruptedException {
            List<String> problems = new ArrayList<>(first.end());
            problems.addAll(second.end());
            return problems;
        }
    }

    /**
     * Alternates between the situations for the first request of each connection. After a response, the next request is
     * of the same situation as that response, so that each situation keeps half of the connections.
     */
    static final class Halves implements Traffic {
        private final Traffic first;
        private final Traffic second;
        /** For each free connection, the traffic of the situation to which the connection belongs. */
        private final Queue<Traffic> freeConnections = new ArrayDeque<>();
        private int startedConnections;

        Halves(Traffic first, Traffic second) {
            this.first = first;
            this.second = second;
        }

        @Override
        public Exchange next() {
            Traffic freeHalf = freeConnections.poll();
            Traffic half = freeHalf != null ? freeHalf : startedConnections++ % 2 == 0 ? first : second;
            Exchange next = half.next();
            if (next == null) {
                return null;
            }
            Function<Response, Outcome> judge = next.judge();
            return new Exchange(next.kind(), next.method(), next.path(), next.body(), next.keepsBody(), response -> {
                freeConnections.add(half);
                return judge.apply(response);
            });
        }
    }
}
