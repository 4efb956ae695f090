package io.berth.placement.candidate.response;

import io.berth.placement.fleet.ChangedTree;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.http.ApiException;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The query parameter {@code after=<replica>.<position>}: the members {@code replica} and {@code position} of the
 * latest response that the client has received from a replica of placement. They name the view of the fleet that the
 * response shows ({@link Seen}). A query may repeat the parameter, once for each replica, at most {@value #COUNT_MAX}
 * times.
 *
 * @param seen the positions in the values of the parameter; empty if the query has none
 * @param otherParameters the query string without this parameter, not decoded; may be empty
 */
public record AfterParameter(List<Seen> seen, String otherParameters) {
    static final String NAME = "after";
    public static final int COUNT_MAX = 8;
    private static final Pattern FORM = Pattern.compile("([0-9A-Za-z_-]{1,64})\\.([0-9]{1,18})");

    /**
     * The position of a response that a client has received.
     *
     * @param lineage the replica, see {@link FleetView#lineage}
     * @param version the position in the sequence of views of the replica, see {@link FleetView#version}
     */
    public record Seen(String lineage, long version) {
        public static final String MUST_BE =
                "must be the replica and the position of a response, joined by a dot";

        /** Parses {@code <replica>.<position>}; null for an invalid text. */
        public static @Nullable Seen find(String text) {
            Matcher form = FORM.matcher(text);
            return form.matches() ? new Seen(form.group(1), Long.parseLong(form.group(2))) : null;
        }
    }

    /**
     * Separates the values of this parameter from the other parameters of a query string.
     *
     * @param rawQuery the query string, not decoded, because a valid value of this parameter contains no escapes; null
     *         if there is none
     * @throws ApiException 400 for an invalid value or more than {@value #COUNT_MAX} values
     */
    static AfterParameter parse(@Nullable String rawQuery) {
        if (rawQuery == null || !rawQuery.contains(NAME)) {
            return new AfterParameter(List.of(), rawQuery == null ? "" : rawQuery);
        }
        List<Seen> seen = new ArrayList<>();
        StringBuilder rest = new StringBuilder(rawQuery.length());
        for (String piece : rawQuery.split("&")) {
            if (piece.startsWith(NAME + "=")) {
                Seen position = Seen.find(piece.substring(NAME.length() + 1));
                if (position == null) {
                    throw refusal(Seen.MUST_BE);
                }
                seen.add(position);
            } else {
                rest.append(rest.isEmpty() ? "" : "&").append(piece);
            }
        }
        if (seen.size() > COUNT_MAX) {
            throw refusal("may be repeated at most " + COUNT_MAX + " times, once for each replica");
        }
        return new AfterParameter(seen, rest.toString());
    }

    private static ApiException refusal(String problem) {
        return ApiException.badRequest("Invalid query string parameters: " + NAME + " " + problem);
    }

    /**
     * Returns the trees that changed after the latest response that the client has received from this replica; an empty
     * list if the client has received none. The list may be incomplete, see {@link FleetView#changedAfter}.
     */
    List<ChangedTree> changed(FleetView view) {
        return changed(seen, view);
    }

    /** Does the same as {@link #changed(FleetView)} for positions from a request body. */
    public static List<ChangedTree> changed(List<Seen> seen, FleetView view) {
        long latest = -1;
        for (Seen position : seen) {
            if (position.lineage().equals(view.lineage())) {
                latest = Math.max(latest, position.version());
            }
        }
        return latest < 0 ? List.of() : view.changedAfter(latest);
    }
}
