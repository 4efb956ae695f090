package io.berth.placement.candidate.query;

import io.berth.model.Microversion;
import io.quarkus.runtime.StartupEvent;
import jakarta.annotation.Nullable;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Caches parsed queries. The same queries recur, such as the queries for instances of one flavor, and to validate and
 * parse a query costs as much as a short search. Bounded by the length of all query strings; evicts the least recently
 * used query first. Thread-safe.
 */
@Singleton
public final class ParsedQueryCache {
    /**
     * The limit of the length of all cached query strings together, in characters; enough for about a thousand queries.
     * A parsed query takes up to about forty times the memory of its text.
     */
    static final int CHARACTERS_MAX = 200_000;
    /** The length of the longest query string that is cached, in characters. */
    static final int LENGTH_MAX = 2_000;

    /** The value of {@link QueryKey#minor} for queries of Berth's own routes. */
    private static final int OWN_ROUTES = -1;

    /**
     * The key of a cached query.
     *
     * @param minor the minor number of the microversion; -1 for a query of Berth's own routes
     * @param text the query string, not decoded
     */
    public record QueryKey(int minor, String text) {}

    private final LinkedHashMap<QueryKey, CandidateQuery> byKey = new LinkedHashMap<>(64, 0.75f, true);
    private int characters;

    /** Parses a query before clients do, because the first use of the parser loads its schemas. */
    void start(@Observes StartupEvent starting) {
        CandidateQueryParser.parse(Map.of("resources", List.of("VCPU:1")), Microversion.MAX);
    }

    /**
     * Returns the parsed query, from the cache if possible.
     *
     * @param text the query string, not decoded; null if there is none
     * @param parameters returns the decoded parameters; called only if the query is not cached
     * @throws io.berth.placement.http.ApiException 400 for anything that the microversion does not allow
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
     * Returns the query as {@link CandidateQueryParser#parseOwn} parses it, from the cache if possible.
     *
     * @param parameters see {@link #read(String, Supplier, Microversion)}
     * @throws io.berth.placement.http.ApiException 400 for any invalid parameter
     */
    public CandidateQuery readOwn(String text, Supplier<Map<String, List<String>>> parameters) {
        return read(new QueryKey(OWN_ROUTES, text), () -> CandidateQueryParser.parseOwn(parameters.get()));
    }

    private CandidateQuery read(QueryKey key, Supplier<CandidateQuery> parser) {
        CandidateQuery cached = find(key);
        if (cached != null) {
            return cached;
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
