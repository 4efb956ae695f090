package io.berth.scheduler.filter;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostCheck;
import io.berth.scheduler.spi.PreparedFilter;
import io.berth.scheduler.spi.Reason;
import io.berth.scheduler.spi.Remedy;
import io.berth.scheduler.spi.RequestMember;
import io.berth.scheduler.spi.Verdict;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Accepts only hosts that satisfy the user's condition in the hint {@code query}, such as {@code ["and", [">=",
 * "$free_ram_mb", 1024], ["<", "$num_io_ops", 4]]}. A text that begins with {@code $} stands for the host's member of
 * that name. An invalid condition fails the request.
 * <br>Differs from nova: a query of more than 10,000 characters, or with brackets nested more than 100 deep, fails the
 * request.
 * <br>Source: nova {@code scheduler/filters/json_filter.py}.
 */
@Singleton
public final class JsonFilter implements PreparedFilter {
    /**
     * Maximum length of a query in characters, because the query is evaluated on every host; a longer one fails the
     * request.
     */
    private static final int QUERY_CHARACTERS_MAX = 10_000;
    private static final Verdict NOT_JSON = new Verdict.Failed("the hint query is not one JSON text");

    private static final Verdict TOO_LONG =
            new Verdict.Failed("the hint query has more than %d characters".formatted(QUERY_CHARACTERS_MAX));

    @Override
    public Sensitivity sensitivity() {
        return Sensitivity.CANDIDATES;
    }

    @Override
    public HostCheck prepare(RequestSpec spec, Options options) {
        if (spec.schedulerHints().isEmpty("query")) {
            return HostCheck.PASS;
        }
        String text = spec.schedulerHints().single("query");
        if (text == null) {
            return host -> NOT_JSON;
        }
        if (text.length() > QUERY_CHARACTERS_MAX) {
            return host -> TOO_LONG;
        }
        JsonNode query = HostJson.parse(text);
        if (query == null) {
            return host -> NOT_JSON;
        }
        Verdict unmet = Verdict.reject("query", "the condition of the hint query does not hold", text);
        return host -> switch (new JsonQuery(host).evaluate(query)) {
            case JsonQuery.Outcome.Holds(boolean holds) -> holds ? Verdict.PASS : unmet;
            case JsonQuery.Outcome.Failed(String detail) -> new Verdict.Failed(detail);
        };
    }

    @Override
    public List<Remedy> remedies(HostState host, RequestSpec spec, Reason reason) {
        return Remedy.omitOneOf(RequestMember.hint("query"));
    }
}
