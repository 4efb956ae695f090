package io.berth.database.change;

import io.netty.handler.codec.http.QueryStringEncoder;
import jakarta.annotation.Nullable;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The filters for listing changes, the latest first.
 *
 * @param about text that {@link io.berth.model.OperatorChange#what} must contain, such as a uuid
 * @param marker id of the last change of the previous page: only older changes are listed
 */
public record ChangeSearch(
        @Nullable String user, @Nullable String about, @Nullable OffsetDateTime since, @Nullable OffsetDateTime until,
        @Nullable Long marker, int limit) {
    /** Parameters of the query string. */
    public static final Set<String> PARAMETERS = Set.of("user", "about", "since", "until", "marker", "limit");
    private static final int LIMIT_MAX = 100;

    /**
     * Parses a decoded query string.
     *
     * @throws IllegalArgumentException with the reason
     */
    public static ChangeSearch of(Map<String, List<String>> parameters) {
        parameters.forEach((name, values) -> {
            if (!PARAMETERS.contains(name)) {
                throw new IllegalArgumentException(
                        name + ": unknown parameter; known are " + String.join(", ", PARAMETERS.stream().sorted().toList()));
            }
            if (values.size() > 1) {
                throw new IllegalArgumentException(name + ": is given more than once");
            }
            if (values.getFirst().indexOf('\0') >= 0) {
                throw new IllegalArgumentException(name + ": text must not hold NUL");
            }
        });
        return new ChangeSearch(
                stated(parameters, "user"),
                stated(parameters, "about"),
                time(parameters, "since"),
                time(parameters, "until"),
                number(parameters, "marker"),
                limit(parameters));
    }

    private static @Nullable String stated(Map<String, List<String>> parameters, String name) {
        List<String> values = parameters.get(name);
        return values == null ? null : values.getFirst();
    }

    private static @Nullable OffsetDateTime time(Map<String, List<String>> parameters, String name) {
        String stated = stated(parameters, name);
        try {
            return stated == null ? null : OffsetDateTime.parse(stated);
        } catch (DateTimeException notOne) {
            throw new IllegalArgumentException(name + ": must be a time such as 2026-01-31T12:00:00Z");
        }
    }

    private static @Nullable Long number(Map<String, List<String>> parameters, String name) {
        String stated = stated(parameters, name);
        if (stated != null && !stated.matches("[1-9][0-9]{0,17}")) {
            throw new IllegalArgumentException(name + ": must be an integer of at least 1");
        }
        return stated == null ? null : Long.valueOf(stated);
    }

    private static int limit(Map<String, List<String>> parameters) {
        Long stated = number(parameters, "limit");
        return stated == null ? LIMIT_MAX : (int) Math.min(LIMIT_MAX, stated);
    }

    /** Returns the query string of the page after that id. */
    String next(long last) {
        QueryStringEncoder next = new QueryStringEncoder("");
        add(next, "user", user);
        add(next, "about", about);
        add(next, "since", since);
        add(next, "until", until);
        next.addParam("limit", String.valueOf(limit));
        next.addParam("marker", String.valueOf(last));
        return next.toString();
    }

    private static void add(QueryStringEncoder query, String name, @Nullable Object value) {
        if (value != null) {
            query.addParam(name, value.toString());
        }
    }
}
