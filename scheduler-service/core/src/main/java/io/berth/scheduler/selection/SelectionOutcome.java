package io.berth.scheduler.selection;

import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.explanation.NoValidHost;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.search.Shortfall;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** The outcome of a request for destinations. */
public sealed interface SelectionOutcome {
    /**
     * Returns the outcome of a decision without claims, or whose claims hold.
     *
     * @param claims text on refused claims, which is appended to "no valid host"; may be empty
     */
    static SelectionOutcome of(Decision decision, String claims) {
        return switch (decision.result()) {
            case SELECTED -> new Selected(decision, Selection.of(decision));
            case NO_VALID_HOST ->
                new Failed(ErrorCode.NO_VALID_HOST, NoValidHost.describe(decision) + claims, decision);
            // A decision with this result has an error.
            case ERROR ->
                new Failed(ErrorCode.REQUEST_INVALID, Objects.requireNonNull(decision.error()).detail(), decision);
        };
    }

    /** Returns whether this is a {@link Failed} with the given error. */
    default boolean isFor(ErrorCode code) {
        return this instanceof Failed failed && failed.code() == code;
    }

    /** Returns the decision; null for a stored response, or if the decision was not made or not kept. */
    default @Nullable Decision decision() {
        return null;
    }

    /**
     * All instances have hosts.
     *
     * @param selections one list per instance: the selected host, then its alternates
     * @param rendered the rendered response; null if the request has no record that would store the response
     */
    record Selected(Decision decision, List<List<Selection>> selections,
            @Nullable ResponseWriter.RenderedResponse rendered)
            implements SelectionOutcome {
        Selected(Decision decision, List<List<Selection>> selections) {
            this(decision, selections, null);
        }

        /**
         * Returns the server group that was found for the request, in which its instances hold reservations; null
         * without a group. Not for decisions of {@link ChanceDriver}, which have no rounds.
         */
        public @Nullable UUID reservedGroup() {
            return ServerGroups.findGroupUuid(decision.rounds().getFirst().round().spec());
        }

        Selected with(ResponseWriter.RenderedResponse response) {
            return new Selected(decision, selections, response);
        }
    }

    /**
     * The same request has placed its instances before, and they still hold the allocations of its response.
     *
     * @param answer the stored response
     */
    record Repeated(String answer) implements SelectionOutcome {}

    /** The request failed. None of its claims holds, or they are being rolled back. */
    sealed interface Failure extends SelectionOutcome {
        /**
         * Returns a sentence on the reason without names of hosts, for the tenant. Null for failures other than "no
         * valid host", and if the reason cannot be explained without such names.
         */
        default @Nullable String tenantDetail() {
            return DecisionOutcomes.forTenant(this);
        }
    }

    /** A conflict with an earlier request for the same instances, or a failure to find out its outcome. */
    record Refused(ApiFault fault) implements Failure {}

    /**
     * A step of the decision or its claims failed.
     *
     * @param reason the reason in nova's words; null if nova reports that there are not enough hosts
     * @param decision null if the request ended before any host was considered, and after {@link #withoutHosts}
     * @param omitted the hosts that placement did not offer; null if unknown
     */
    record Failed(
            ErrorCode code, String detail, @Nullable String reason, @Nullable Decision decision,
            @Nullable NoCandidates omitted)
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

        /** Returns this failure without the decision, which would retain all its hosts in memory. */
        Failed withoutHosts() {
            return new Failed(code, detail, reason, null);
        }

        /**
         * Returns this failure with the hosts that placement did not offer, so that it explains the whole fleet.
         * Returns this failure unchanged if it has no decision.
         */
        Failed withOmittedHosts(NoCandidates leftOut) {
            if (decision == null) {
                return this;
            }
            String decisionText = NoValidHost.describe(decision);
            String claims = detail.startsWith(decisionText) ? detail.substring(decisionText.length()) : "; " + detail;
            return new Failed(code, NoValidHost.describe(decision, leftOut.omittedHosts(false)) + claims, reason,
                    decision,
                    leftOut);
        }
    }

    /**
     * Placement offered no candidates, so no host was considered. As part of a {@link Failed}, the hosts that placement
     * did not offer, although it offered others.
     *
     * @param query as sent to placement
     * @param shortfall the demands that no tree meets; null if placement did not report them
     */
    record NoCandidates(String query, @Nullable Shortfall shortfall) implements Failure {
        public String detail() {
            return shortfall == null ? "Placement has no allocation candidates for the request" : shortfall.text();
        }

        /**
         * Returns the numbers of hosts that were not offered, for the text that follows the text on the decision among
         * the offered hosts; null if unknown.
         *
         * @param forTenants whether the names of demands are without names of hosts; the nearest host is named in any
         *     case, and {@link NoValidHost#forTenant} ignores it
         */
        @Nullable NoValidHost.OmittedHosts omittedHosts(boolean forTenants) {
            return shortfall == null
                    ? null
                    : new NoValidHost.OmittedHosts(
                            shortfall.roots(), forTenants ? shortfall.tenantRemoved() : shortfall.removed(),
                            shortfall.nearestOmittedHost());
        }
    }
}
