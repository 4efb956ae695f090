package io.berth.scheduler.selection;

import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.explanation.NoValidHost;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.search.Shortfall;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.UUID;

/** The outcome of a request for destinations. */
public sealed interface Outcome {
    /**
     * Returns the outcome of a decision whose claims hold, or that has none.
     *
     * @param claims text on the refused claims, appended if there is no valid host
     */
    static Outcome of(Decision decision, String claims) {
        return switch (decision.result()) {
            case SELECTED -> new Selected(decision, Selection.of(decision));
            case NO_VALID_HOST ->
                new Failed(ErrorCode.NO_VALID_HOST, NoValidHost.describe(decision) + claims, decision);
            case ERROR -> new Failed(ErrorCode.REQUEST_INVALID, decision.error().detail(), decision);
        };
    }

    /** Returns whether a step failed with this error. */
    default boolean isFor(ErrorCode code) {
        return this instanceof Failed failed && failed.code() == code;
    }

    /** Returns null if the request ended before any host was considered. */
    default @Nullable Decision decision() {
        return null;
    }

    /**
     * All instances have hosts; each list has the selected host of one instance, then its alternates.
     *
     * @param rendered the rendered response, if it was needed for the record; else null
     */
    record Selected(Decision decision, List<List<Selection>> selections, @Nullable AnswerWriter.RenderedResponse rendered)
            implements Outcome {
        Selected(Decision decision, List<List<Selection>> selections) {
            this(decision, selections, null);
        }

        /**
         * Returns the server group that was found for the request and in which its instances hold reservations; null
         * for none.
         */
        public @Nullable UUID seatedIn() {
            return ServerGroups.groupOf(decision.rounds().getFirst().round().spec());
        }

        Selected with(AnswerWriter.RenderedResponse what) {
            return new Selected(decision, selections, what);
        }
    }

    /** The same request was made before, and its response still holds. */
    record Repeated(String answer) implements Outcome {}

    /** Nothing is claimed, or the claims are being released. */
    sealed interface Failure extends Outcome {
        /**
         * Returns why no host is valid, without host names, for the tenant who requested the instance. Null for other
         * failures, and if nothing can be said without names.
         */
        default @Nullable String tenantDetail() {
            return Endings.forTenant(this);
        }
    }

    /** An earlier request about the same instances conflicts with this one. */
    record Refused(ApiFault fault) implements Failure {}

    /**
     * A step of the decision or its claims failed.
     *
     * @param reason the reason that nova's scheduler gives for this; null if nova reports that there are not enough
     *     hosts
     * @param leftOut the hosts that placement did not offer; null if that was not queried or is unknown
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

        /** Returns this failure without the decision, which has the hosts. */
        Failed withoutHosts() {
            return new Failed(code, detail, reason, null);
        }

        /** Returns this failure completed with the hosts that placement did not offer, so that it covers all hosts. */
        Failed with(NoCandidates leftOut) {
            String own = NoValidHost.describe(decision);
            String claims = detail.startsWith(own) ? detail.substring(own.length()) : "; " + detail;
            return new Failed(code, NoValidHost.describe(decision, leftOut.half(false)) + claims, reason, decision, leftOut);
        }
    }

    /**
     * Placement offered no candidate, so no host was considered. Beside a decision: placement did not offer all
     * hosts.
     *
     * @param query the query as sent to placement
     * @param shortfall which of its demands left nothing; null if placement did not report that
     */
    record NoCandidates(String query, @Nullable Shortfall shortfall) implements Failure {
        public String detail() {
            return shortfall == null ? "Placement has no allocation candidates for the request" : shortfall.text();
        }

        /** Returns the text for a decision on the hosts that placement did offer. */
        @Nullable NoValidHost.LeftOut half(boolean forTenants) {
            return shortfall == null
                    ? null
                    : new NoValidHost.LeftOut(
                            shortfall.roots(), forTenants ? shortfall.tenantRemoved() : shortfall.removed(),
                            shortfall.nearestLeftOut());
        }
    }
}
