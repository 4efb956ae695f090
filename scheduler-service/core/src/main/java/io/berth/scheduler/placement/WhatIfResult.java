package io.berth.scheduler.placement;

/** The result of a query on a scenario, which is the present fleet with changes: {@link PlacementClient#whatIf}. */
public sealed interface WhatIfResult {
    /** The body of a response with status 200. */
    record Received(byte[] body) implements WhatIfResult {}

    /** No attempt reached a replica of placement that still has the view which the query names. */
    record ViewLost() implements WhatIfResult {}

    /** This Placement lacks the route, so it is OpenStack's, not Berth's. */
    record NotSupported() implements WhatIfResult {}

    /** Placement understood the query and refused it (4xx), because a change is impossible or the query is invalid. */
    record Refused(int status, String detail) implements WhatIfResult {}

    /** No usable response in time. */
    record Unreachable(String why) implements WhatIfResult {}
}
