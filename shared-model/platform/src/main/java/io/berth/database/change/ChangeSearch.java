package io.berth.database.change;

import io.netty.handler.codec.http.QueryStringEncoder;
import jakarta.annotation.Nullable;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The query of a client that lists changes, the latest first. A filter (user, about, since, until) that is null matches
 * every change.
 *
 * @param user id of the user who made the change
 * @param about text that {@link io.berth.model.OperatorChange#what} contains, such as a uuid
 * @param since earliest time of a change, inclusive
 * @param until latest time of a change, exclusive
 * @param marker id of the last change of the previous page; only changes with lower ids are listed; null for the first
 *         page
 * @param limit maximum number of changes of the page, 1 to 100
 */
public record ChangeSearch(
        @Nullable String user, @Nullable String about, @Nullable OffsetDateTime since, @Nullable OffsetDateTime until,
        @Nullable Long marker, int limit) {
    /** The names of the parameters of the query string. */
    public static final Set<String> PARAMETERS = Set.of("user", "about", "since", "until", "marker", "limit");
    private static final int LIMIT_MAX = 100;

    /**
     * Parses the decoded parameters of a query string. A limit above 100 becomes 100.
     *
     * @throws IllegalArgumentException with the reason, which begins with the parameter's name
     */
    public static ChangeSearch of(Map<String, List<String>> parameters) {
        parameters.forEach((name, values) -> {
            if (!PARAMETERS.contains(name)) {
                throw new IllegalArgumentException(
                        name + ": unknown parameter; known are "
                                + String.join(", ", PARAMETERS.stream().sorted().toList()));
            }
            if (values.size() > 1) {
                throw new IllegalArgumentException(name + ": is given more than once");
            }
            if (values.getFirst().indexOf('\0') >= 0) {
                throw new IllegalArgumentException(name + ": must not contain NUL");
            }
        });
        return new ChangeSearch(
                find(parameters, "user"),
                find(parameters, "about"),
                parseTime(parameters, "since"),
                parseTime(parameters, "until"),
                parseNumber(parameters, "marker"),
                parseLimit(parameters));
    }

    private static @Nullable String find(Map<String, List<String>> parameters, String name) {
        List<String> values = parameters.get(name);
        return values == null ? null : values.getFirst();
    }

    private static @Nullable OffsetDateTime parseTime(Map<String, List<String>> parameters, String name) {
        String value = find(parameters, name);
        try {
            return value == null ? null : OffsetDateTime.parse(value);
        } catch (DateTimeException notATime) {
            throw new IllegalArgumentException(name + ": must be a time such as 2026-01-31T12:00:00Z");
        }
    }

    private static @Nullable Long parseNumber(Map<String, List<String>> parameters, String name) {
        String value = find(parameters, name);
        if (value != null && !value.matches("[1-9][0-9]{0,17}")) {
            throw new IllegalArgumentException(name + ": must be an integer from 1 to 999999999999999999");
        }
        return value == null ? null : Long.valueOf(value);
    }

    private static int parseLimit(Map<String, List<String>> parameters) {
        Long value = parseNumber(parameters, "limit");
        return value == null ? LIMIT_MAX : (int) Math.min(LIMIT_MAX, value);
    }

    /**
     * Returns the query string of the next page, beginning with its question mark.
     *
     * @param lastId id of the last change of this page
     */
    String nextPageQuery(long lastId) {
        QueryStringEncoder query = new QueryStringEncoder("");
        add(query, "user", user);
        add(query, "about", about);
        add(query, "since", since);
        add(query, "until", until);
        query.addParam("limit", String.valueOf(limit));
        query.addParam("marker", String.valueOf(lastId));
        return query.toString();
    }

    private static void add(QueryStringEncoder query, String name, @Nullable Object value) {
        if (value != null) {
            query.addParam(name, value.toString());
        }
    }
}
