package io.berth.placement.candidate.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.model.Microversion;
import io.berth.placement.http.ApiException;
import io.quarkus.runtime.StartupEvent;
import org.junit.jupiter.api.Test;

/** Tests the cache of parsed candidate queries. */
class ParsedQueryCacheTest {
    private final ParsedQueryCache queries = new ParsedQueryCache();

    private CandidateQuery read(String text, String version) {
        return queries.read(text, () -> QueryText.parameters(text), Microversion.parse(version).orElseThrow());
    }

    /** A refused query would end the start. */
    @Test
    void parsesAQueryAtTheStart() {
        queries.start(new StartupEvent());
        assertThat(queries.size()).isZero();
    }

    @Test
    void parsesAQueryOnce() {
        CandidateQuery first = read("resources=VCPU:1", "1.39");
        assertThat(queries.read("resources=VCPU:1", () -> {
            throw new AssertionError("read again");
        }, Microversion.MAX)).isSameAs(first);
        assertThat(first)
                .isEqualTo(CandidateQueryParser.parse(QueryText.parameters("resources=VCPU:1"), Microversion.MAX));
    }

    @Test
    void parsesAgainForAnotherMicroversion() {
        assertThat(read("resources=VCPU:1", "1.39").nesting()).isEqualTo(CandidateQuery.Nesting.AWARE);
        assertThat(read("resources=VCPU:1", "1.10").nesting()).isEqualTo(CandidateQuery.Nesting.UNAWARE);
    }

    @Test
    void separatesQueriesOfPlainAndBerthsOwnRoutes() {
        String text = "resources=VCPU:1&without_inventory=PCPU";
        assertThat(queries.readOwn(text, () -> QueryText.parameters(text)).withoutInventory()).containsExactly("PCPU");
        assertThatThrownBy(() -> read(text, "1.39")).isInstanceOf(ApiException.class);
    }

    @Test
    void doesNotCacheRefusedQueries() {
        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(() -> read("resources=VCPU:0", "1.39")).isInstanceOf(ApiException.class);
        }
        assertThatThrownBy(() -> queries.read(null, () -> QueryText.parameters("limit=1"), Microversion.MAX))
                .isInstanceOf(ApiException.class);
        assertThat(queries.size()).isZero();
    }

    @Test
    void evictsTheLeastRecentlyUsedQuery() {
        CandidateQuery kept = read("resources=VCPU:1", "1.39");
        // Each query has 21 characters; the one that is kept has 16.
        int others = (ParsedQueryCache.CHARACTERS_MAX - 16) / 21;
        for (int n = 0; n < others + 100; n++) {
            assertThat(read("resources=VCPU:1", "1.39")).isSameAs(kept);
            read("resources=VCPU:" + (100_000 + n), "1.39");
        }
        assertThat(queries.size()).isEqualTo(1 + others);
        assertThat(read("resources=VCPU:1", "1.39")).isSameAs(kept);
    }

    @Test
    void doesNotCacheLongQueries() {
        String text = "resources=VCPU:1&required=" + "A".repeat(ParsedQueryCache.LENGTH_MAX);
        assertThat(read(text, "1.39").groups()).hasSize(1);
        assertThat(queries.size()).isZero();
    }
}
