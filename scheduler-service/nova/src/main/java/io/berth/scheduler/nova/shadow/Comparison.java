package io.berth.scheduler.nova.shadow;

import io.berth.scheduler.text.WireNamed;
import jakarta.annotation.Nullable;
import java.util.UUID;

/**
 * Berth's choice of a host for one instance, compared with nova-scheduler's choice.
 *
 * @param decision id of Berth's decision
 * @param instance uuid of the instance
 * @param reason why the hosts differ or cannot be compared; null for the other verdicts
 * @param by the filter or weigher that made the difference; null if none did, or if it is not known
 * @param host name of Berth's choice; null if Berth found no host
 * @param novaHost name of nova's choice; null if no claim of nova was seen
 * @param weight weight of Berth's host; null if Berth found no host
 * @param novaWeight Berth's weight of nova's host; null if nova's host was not among Berth's best
 * @param detail one line with numbers or the cause, for people; null if there is none
 * @param decidedMs milliseconds from the arrival of the message to Berth's choice
 * @param seenMs milliseconds from the arrival of the message until nova's claim was seen; null if no claim was seen
 */
record Comparison(
        UUID decision,
        UUID instance,
        Verdict verdict,
        @Nullable Reason reason,
        @Nullable String by,
        @Nullable String host,
        @Nullable String novaHost,
        @Nullable Double weight,
        @Nullable Double novaWeight,
        @Nullable String detail,
        double decidedMs,
        @Nullable Double seenMs) {
    /** The result of the comparison. */
    enum Verdict implements WireNamed {
        /** Both chose the same host. */
        AGREED,
        /** The hosts differ but were equally good: they have the same weight, or chance decides between them. */
        EQUAL_WEIGHT,
        /** The hosts differ, and are not equally good for Berth. */
        DIFFERENT,
        /** Berth found no host, and no claim of nova was seen. */
        BOTH_REFUSED,
        /** There is nothing to compare, or one of the two could see the other's choice. */
        NOT_COMPARABLE;
    }

    /** The reason why the two choices differ, or cannot be compared. */
    enum Reason implements WireNamed {
        /** nova's host had a lower weight in Berth. */
        WEIGHT,
        /** Berth's filters, or the request as Berth reads it, removed nova's host. */
        FILTER,
        /** Placement returned no candidate on nova's host to Berth. */
        NOT_A_CANDIDATE,
        /**
         * nova's host had a lower weight in Berth only because of claims in the minute before Berth's choice.
         * nova-scheduler may not have seen these claims.
         */
        OLDER_VIEW,
        /** Another instance claimed on one of the two hosts between the two choices. */
        FLEET_CHANGED,
        /** For an earlier instance of the same request, nova had chosen another host than Berth. */
        EARLIER_INSTANCE,
        /** No record shows how Berth judged nova's host. */
        NOT_RECORDED,
        /** No claim by nova was seen: nova refused or failed, or the instance was deleted at once. */
        NO_CLAIM,
        /** nova's claim existed when Berth had chosen, so that Berth may have seen this claim. */
        LATE,
        /** Berth could not decide: Placement or a database was unavailable, or Berth cannot read the request. */
        FAILED;
    }

    /** Creates the comparison for an instance without a claim of nova. */
    static Comparison without(ShadowChoice choice, Verdict verdict, @Nullable Reason reason, @Nullable String detail) {
        return new Comparison(
                choice.decision(), choice.instance(), verdict, reason, null, choice.hostName(), null, choice.weight(),
                null, detail, choice.decidedMs(), null);
    }

    /** Creates the comparison for an instance with a claim of nova. */
    static Comparison with(ShadowChoice choice, String novaHost, double seenMs, Verdict verdict,
            @Nullable Reason reason) {
        return new Comparison(
                choice.decision(), choice.instance(), verdict, reason, null, choice.hostName(), novaHost,
                choice.weight(), null, null, choice.decidedMs(), seenMs);
    }

    /**
     * Returns a copy with the cause of the difference: {@code reason}, {@code by}, {@code novaWeight} and
     * {@code detail}.
     */
    Comparison because(
            Reason why, @Nullable String decisive, @Nullable Double weightOfNova, @Nullable String explanation) {
        return new Comparison(
                decision, instance, verdict, why, decisive, host, novaHost, weight, weightOfNova, explanation,
                decidedMs, seenMs);
    }
}
