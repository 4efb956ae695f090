package io.berth.scheduler.selection;

import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.explanation.NoValidHost;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.search.Shortfall;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.UUID;

/** What a request for destinations comes to. */
public sealed interface Outcome {
    /**
     * What a decision comes to, where its claims hold or there are none.
     *
     * @param claims what became of claims, if there is no valid host
     */
    static Outcome of(Decision decision, String claims) {
        return switch (decision.result()) {
            case SELECTED -> new Selected(decision, Selection.of(decision));
            case NO_VALID_HOST ->
                new Failed(ErrorCode.NO_VALID_HOST, NoValidHost.describe(decision) + claims, decision);
            case ERROR -> new Failed(ErrorCode.REQUEST_INVALID, decision.error().detail(), decision);
        };
    }

    /** Returns null where the request ended before any host was looked at. */
    default @Nullable Decision decision() {
        return null;
    }

    /**
     * Everything is claimed; per instance the selected host, then its alternates.
     *
     * @param told what the caller is told, where that was needed before; else null
     */
    record Selected(Decision decision, List<List<Selection>> selections, @Nullable AnswerWriter.Told told)
            implements Outcome {
        Selected(Decision decision, List<List<Selection>> selections) {
            this(decision, selections, null);
        }

        /** The server group that was found for the request, by which its instances took seats. Null for none. */
        public @Nullable UUID seatedIn() {
            return ServerGroups.groupOf(decision.rounds().getFirst().round().spec());
        }

        Selected with(AnswerWriter.Told what) {
            return new Selected(decision, selections, what);
        }
    }

    /** The same request was made before, and what it was told still holds. */
    record Repeated(String answer) implements Outcome {}

    /** Nothing is claimed, or what was is being released. */
    sealed interface Failure extends Outcome {
        /**
         * Why no host will do, without the name of one: for whoever wants the instance. Null for other failures, and where
         * nothing can be said without names.
         */
        default @Nullable String tenantDetail() {
            return Endings.forTenant(this);
        }
    }

    /** An earlier request about the same instances stands in its way. */
    record Refused(ApiFault fault) implements Failure {}

    /**
     * Ended by one step or another.
     *
     * @param reason what nova's scheduler says of the same; null where it says that there are not enough hosts
     * @param leftOut what placement offered no hosts for; null where it was not asked, or could not say
     */
    record Failed(
            ErrorCode code, String detail, @Nullable String reason, @Nullable Decision decision,
            @Nullable NoCandidates leftOut)
            implements Failure {
        Failed(ErrorCode code, String detail) {
            this(code, detail, detail, null);
        }

        Failed(ErrorCode code, String detail, @Nullable Decision decision) {
            this(code, detail, null, decision);
        }

        public Failed(ErrorCode code, String detail, @Nullable String reason, @Nullable Decision decision) {
            this(code, detail, reason, decision, null);
        }

        /** The same with the other half: of all hosts there are. */
        Failed with(NoCandidates leftOut) {
            String own = NoValidHost.describe(decision);
            String claims = detail.startsWith(own) ? detail.substring(own.length()) : "; " + detail;
            return new Failed(code, NoValidHost.describe(decision, leftOut.half(false)) + claims, reason, decision, leftOut);
        }
    }

    /** Decided before members of its server group were seen elsewhere: decided anew, it may come to something. */
    record Outdated(Failed as) implements Failure {
        @Override
        public @Nullable Decision decision() {
            return as.decision();
        }
    }

    /**
     * Placement offered no candidate, so no host was looked at; or, beside a decision, not all hosts.
     *
     * @param query as placement was asked
     * @param shortfall which of its demands left nothing; null where placement could not say
     */
    record NoCandidates(String query, @Nullable Shortfall shortfall) implements Failure {
        public String detail() {
            return shortfall == null ? "Placement has no allocation candidates for the request" : shortfall.text();
        }

        /** For a decision on those hosts that it did offer. */
        @Nullable NoValidHost.LeftOut half(boolean forTenants) {
            return shortfall == null
                    ? null
                    : new NoValidHost.LeftOut(
                            shortfall.roots(), forTenants ? shortfall.tenantRemoved() : shortfall.removed(),
                            shortfall.nearestLeftOut());
        }
    }
}
