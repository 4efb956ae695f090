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
 * @param novaWeight Berth's weight of nova's host; null unless the verdict is {@code DIFFERENT} and nova's host was
 * among Berth's best
 * @param detail one line with numbers or the cause, for people; null if there is none
 * @param decidedMs milliseconds from the arrival of the message to Berth's choice; 0 if Berth cannot read the request
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
        /**
         * The hosts differ but were equally good for Berth: they have the same weight, or chance decides between them.
         */
        EQUAL_WEIGHT,
        /** The hosts differ, and are not equally good for Berth; or only nova found a host. */
        DIFFERENT,
        /** Berth found no host, and no claim of nova was seen. */
        BOTH_REFUSED,
        /**
         * Berth found a host, but no claim of nova was seen; or Berth may have seen nova's claim before it chose; or
         * Berth could not decide or read nova's claim.
         */
        NOT_COMPARABLE;
    }

    /** The reason why the two choices differ, or cannot be compared. */
    enum Reason implements WireNamed {
        /** nova's host had a lower weight in Berth, and none of the reasons below explains the lower weight. */
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
        /**
         * nova's host had a lower weight, and another instance claimed on one of the two hosts after Berth's choice.
         */
        FLEET_CHANGED,
        /**
         * nova's host had a lower weight, and for an instance of the same request that was compared earlier, nova had
         * chosen another host than Berth.
         */
        EARLIER_INSTANCE,
        /** No record shows how Berth judged nova's host. */
        NOT_RECORDED,
        /**
         * Berth found a host, but no claim of nova was seen within a minute: nova refused or failed, or the instance
         * was deleted at once.
         */
        NO_CLAIM,
        /**
         * Right after Berth's choice, placement had a claim of nova for an instance of the request, so that Berth may
         * have seen this claim.
         */
        LATE,
        /**
         * Berth could not decide, for example because placement or a database was unavailable or Berth cannot read the
         * request; or placement did not return the instance's allocations.
         */
        FAILED;
    }

    /** Creates the comparison for an instance for which no claim of nova is known. */
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
    Comparison withReason(
            Reason why, @Nullable String decisive, @Nullable Double weightOfNova, @Nullable String explanation) {
        return new Comparison(
                decision, instance, verdict, why, decisive, host, novaHost, weight, weightOfNova, explanation,
                decidedMs, seenMs);
    }
}
