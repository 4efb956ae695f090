package io.berth.placement.candidate.query;

import io.berth.model.Microversion;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Caches parsed queries: the queries for a flavor recur, and validating and parsing one costs as much as a short
 * search. Bounded; evicts the least recently used first. Thread-safe.
 */
@Singleton
public final class ParsedQueryCache {
    /**
     * The limit of all cached query strings together, about a thousand queries. A parsed query takes up to about forty
     * times the memory of its text.
     */
    static final int CHARACTERS_MAX = 200_000;
    /** The length of the longest query string that is cached. */
    static final int LENGTH_MAX = 2_000;

    /** Stands for the microversion in the keys of Berth's own routes. */
    private static final int OWN = -1;

    /** A query string as it was sent, and the microversion that defines its meaning. */
    public record QueryKey(int minor, String text) {}

    private final LinkedHashMap<QueryKey, CandidateQuery> byKey = new LinkedHashMap<>(64, 0.75f, true);
    private int characters;

    /**
     * Returns the parsed query, from the cache if it is there.
     *
     * @param parameters the decoded text; called only if the query is not cached
     * @throws io.berth.placement.http.ApiException 400 for what the microversion does not allow
     */
    public CandidateQuery read(
            @Nullable String text, Supplier<Map<String, List<String>>> parameters, Microversion version) {
        return text == null
                ? CandidateQueryParser.parse(parameters.get(), version)
                : read(
                        new QueryKey(version.minor(), text),
                        () -> CandidateQueryParser.parse(parameters.get(), version));
    }

    /**
     * Returns the query, parsed like {@link CandidateQueryParser#parseOwn}, from the cache if it is there.
     *
     * @param parameters see {@link #read(String, Supplier, Microversion)}
     * @throws io.berth.placement.http.ApiException 400 for any invalid parameter
     */
    public CandidateQuery readOwn(String text, Supplier<Map<String, List<String>>> parameters) {
        return read(new QueryKey(OWN, text), () -> CandidateQueryParser.parseOwn(parameters.get()));
    }

    private CandidateQuery read(QueryKey key, Supplier<CandidateQuery> parser) {
        CandidateQuery known = find(key);
        if (known != null) {
            return known;
        }
        CandidateQuery query = parser.get();
        if (key.text().length() <= LENGTH_MAX) {
            remember(key, query);
        }
        return query;
    }

    private synchronized @Nullable CandidateQuery find(QueryKey key) {
        return byKey.get(key);
    }

    private synchronized void remember(QueryKey key, CandidateQuery query) {
        if (byKey.putIfAbsent(key, query) == null) {
            characters += key.text().length();
        }
        while (characters > CHARACTERS_MAX) {
            characters -= byKey.pollFirstEntry().getKey().text().length();
        }
    }

    synchronized int size() {
        return byKey.size();
    }
}
