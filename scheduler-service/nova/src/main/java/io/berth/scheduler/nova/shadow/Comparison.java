package io.berth.scheduler.nova.shadow;

import io.berth.scheduler.text.WireNamed;
import jakarta.annotation.Nullable;
import java.util.UUID;

/**
 * Berth's choice for one instance beside nova's.
 *
 * @param reason null where they agree
 * @param by the filter or weigher that made the difference; null where none did, or none is known
 * @param host Berth's; null where it found none
 * @param novaHost null where no claim was seen
 * @param weight of Berth's host; null where there was none
 * @param novaWeight what Berth gave to nova's host; null where it was none of its best
 * @param detail one line; null where there is nothing to say
 * @param decidedMs from the message to Berth's choice
 * @param seenMs from the message to nova's claim, as it was seen; null where none was
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
    /** What is to be said of both. */
    enum Verdict implements WireNamed {
        AGREED,
        /** Another host that would have done as well: of the same weight, or one that chance decides between. */
        EQUAL_WEIGHT,
        DIFFERENT,
        /** Berth found no host, and no claim was seen. */
        BOTH_REFUSED,
        NOT_COMPARABLE;
    }

    /** Why they differ, or cannot be compared. */
    enum Reason implements WireNamed {
        /** nova's host weighed less with Berth. */
        WEIGHT,
        /** Berth's filters, or the request as Berth reads it, removed nova's host. */
        FILTER,
        /** Placement did not offer nova's host to Berth. */
        NOT_A_CANDIDATE,
        /** nova's host weighed less with Berth for claims of the minute before, which nova-scheduler may not have seen. */
        OLDER_VIEW,
        /** Others claimed on one of the two hosts between the two choices. */
        FLEET_CHANGED,
        /** An earlier instance of the same request went elsewhere. */
        EARLIER_INSTANCE,
        /** There is no record of what Berth thought of nova's host. */
        NOT_RECORDED,
        /** nova claimed nothing, as far as was seen: it refused, or failed, or the server is gone already. */
        NO_CLAIM,
        /** nova's claim was there when Berth had chosen: it may have seen it. */
        LATE,
        /** Berth could not decide: Placement or a database was away, or the request was none it reads. */
        FAILED;
    }

    /** Nothing to compare with. */
    static Comparison without(Tried tried, Verdict verdict, @Nullable Reason reason, @Nullable String detail) {
        return new Comparison(
                tried.decision(), tried.instance(), verdict, reason, null, tried.hostName(), null, tried.weight(), null,
                detail, tried.decidedMs(), null);
    }

    static Comparison with(Tried tried, String novaHost, double seenMs, Verdict verdict, @Nullable Reason reason) {
        return new Comparison(
                tried.decision(), tried.instance(), verdict, reason, null, tried.hostName(), novaHost, tried.weight(),
                null, null, tried.decidedMs(), seenMs);
    }

    /** The same with what made the difference. */
    Comparison because(Reason why, @Nullable String madeBy, @Nullable Double ofNova, @Nullable String line) {
        return new Comparison(
                decision, instance, verdict, why, madeBy, host, novaHost, weight, ofNova, line, decidedMs, seenMs);
    }
}
