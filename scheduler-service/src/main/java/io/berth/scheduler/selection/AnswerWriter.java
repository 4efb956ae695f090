package io.berth.scheduler.selection;

import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.request.RequestSpec;

/** What the caller will be told, for those who keep an answer before it is given. */
public interface AnswerWriter {
    /**
     * An answer before it is given.
     *
     * @param plain the same without an explanation, as it is stored
     */
    record Told(String answer, String plain) {}

    /** @param explained whether the answer itself says how every host fared */
    Told told(Outcome.Selected selected, RequestSpec spec, boolean explained);

    ApiFault fault(Outcome.Failure failure, RequestSpec spec, boolean explained);
}
