package io.berth.scheduler.api;

import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.placement.Shortage;
import jakarta.annotation.Nullable;
import java.util.List;

/** What a request for destinations comes to. */
sealed interface Outcome {
    /** Null where the request ended before any host was looked at. */
    @Nullable Decision decision();

    /** Everything is claimed; per instance the selected host, then its alternates. */
    record Selected(Decision decision, List<List<Selection>> selections) implements Outcome {}

    /** Nothing is claimed, or what was is being released. */
    sealed interface Failure extends Outcome {}

    /** Ended by one step or another. */
    record Failed(ErrorCode code, String detail, @Nullable Decision decision) implements Failure {
        Failed(ErrorCode code, String detail) {
            this(code, detail, null);
        }
    }

    /**
     * Placement offered no candidate, so no host was looked at.
     *
     * @param query as placement was asked
     * @param decisive demands of the query; leaving out any one of them would give candidates. Empty: no single one
     * @param shortage of an amount that is to blame; null where none is
     */
    record NoCandidates(String query, List<String> decisive, @Nullable Shortage shortage) implements Failure {
        public NoCandidates {
            decisive = List.copyOf(decisive);
        }

        @Override
        public @Nullable Decision decision() {
            return null;
        }

        String detail() {
            return "placement has no allocation candidates for the request: "
                    + (decisive.isEmpty()
                            ? "no demand alone is to blame"
                            : "without " + String.join(", or without ", decisive) + " there would be some")
                    + (shortage == null ? "" : "; " + shortage.render());
        }
    }
}
