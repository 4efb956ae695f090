package io.berth.scheduler.placement;

/** The result of a query on a scenario. */
public sealed interface WhatIfAnswer {
    /** The body of a response with status 200. */
    record Received(byte[] body) implements WhatIfAnswer {}

    /** No replica that was reached has the view that the query names. */
    record ViewLost() implements WhatIfAnswer {}

    /** This Placement does not support such queries, so it is not Berth's. */
    record NotKnown() implements WhatIfAnswer {}

    /** Placement understood the query and refused it (4xx): an impossible change, or an invalid query. */
    record Refused(int status, String detail) implements WhatIfAnswer {}

    /** No usable response in time. */
    record Unreachable(String why) implements WhatIfAnswer {}
}
