package io.berth.scheduler.selection;

import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.trail.Trail;

/** What the caller will be told, for those who keep an answer before it is given. */
public interface AnswerWriter {
    /**
     * An answer before it is given.
     *
     * @param plain the same without an explanation, as it is stored
     */
    record Told(String answer, String plain) {}

    /**
     * @param explained whether the answer itself says how every host fared
     * @param trail of the request, which is told what it is warned of
     */
    Told told(Outcome.Selected selected, RequestSpec spec, boolean explained, Trail trail);

    ApiFault fault(Outcome.Failure failure, RequestSpec spec, boolean explained, Trail trail);
}
