package io.berth.database.change;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the query parameters of the list of changes. */
class ChangeSearchTest {
    private static ChangeSearch of(String name, String value) {
        return ChangeSearch.of(Map.of(name, List.of(value)));
    }

    @Test
    void readsParametersAndKeepsThemInTheLinkToTheNextPage() {
        ChangeSearch search = ChangeSearch.of(Map.of(
                "user", List.of("alice"), "about", List.of("h 1"), "since", List.of("2026-01-31T12:00:00+01:00"),
                "until", List.of("2026-02-01T00:00:00Z"), "marker", List.of("9"), "limit", List.of("7")));
        assertThat(search).isEqualTo(new ChangeSearch(
                "alice", "h 1", OffsetDateTime.parse("2026-01-31T12:00:00+01:00"),
                OffsetDateTime.parse("2026-02-01T00:00Z"), 9L, 7));
        assertThat(search.nextPageQuery(5)).isEqualTo(
                "?user=alice&about=h%201&since=2026-01-31T12%3A00%2B01%3A00&until=2026-02-01T00%3A00Z&limit=7&marker=5");
        assertThat(ChangeSearch.of(Map.of("since", List.of("2026-01-31T12:00+01:00"))).since())
                .isEqualTo(search.since());
    }

    @Test
    void limitsAPageToAHundredChanges() {
        assertThat(ChangeSearch.of(Map.of()).limit()).isEqualTo(100);
        assertThat(of("limit", "5000").limit()).isEqualTo(100);
        assertThat(of("limit", "999999999999999999").limit()).isEqualTo(100);
    }

    @ParameterizedTest(name = "{0}={1}")
    @CsvSource(delimiter = '|', textBlock = """
            users  | a         | users: unknown parameter; known are about, limit, marker, since, until, user
            since  | yesterday | since: must be a time such as 2026-01-31T12:00:00Z
            marker | 0         | marker: must be an integer from 1 to 999999999999999999
            limit  | -1        | limit: must be an integer from 1 to 999999999999999999
            """)
    void refusesInvalidParameters(String name, String value, String detail) {
        assertThatThrownBy(() -> of(name, value)).isInstanceOf(IllegalArgumentException.class).hasMessage(detail);
    }

    @Test
    void refusesARepeatedParameter() {
        assertThatThrownBy(() -> ChangeSearch.of(Map.of("user", List.of("a", "b"))))
                .hasMessage("user: is given more than once");
    }
}
