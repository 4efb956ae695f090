package io.berth.scheduler.placement;

/** What a question about a changed fleet can come to. */
public sealed interface WhatIfAnswer {
    /** 200. */
    record Told(byte[] body) implements WhatIfAnswer {}

    /** No replica that was reached keeps the view that the question names. */
    record ViewLost() implements WhatIfAnswer {}

    /** This Placement does not answer such questions: it is not Berth's. */
    record NotKnown() implements WhatIfAnswer {}

    /** Placement understood us and said no (4xx): an impossible change, or a query that is none. */
    record Refused(int status, String detail) implements WhatIfAnswer {}

    /** No usable answer in time. */
    record Unreachable(String why) implements WhatIfAnswer {}
}
