package io.berth.scheduler.request.query;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/** Extracts names from a query to placement. Pure. */
public final class QueryNames {
    private QueryNames() {}

    /** Returns all required and forbidden traits, in ascending order. */
    public static Set<String> traits(String queryString) {
        Set<String> traits = new TreeSet<>();
        for (String item : items(queryString, "required", "root_required")) {
            traits.add(item.startsWith("!") ? item.substring(1) : item);
        }
        return traits;
    }

    /** Returns all resource classes, in ascending order. */
    public static Set<String> resourceClasses(String queryString) {
        Set<String> classes = new TreeSet<>();
        for (String item : items(queryString, "resources")) {
            // An item without an amount is the first part of a name with a comma.
            int colon = item.indexOf(':');
            classes.add(colon < 0 ? item : item.substring(0, colon));
        }
        return classes;
    }

    /** Returns the items of all parameters whose names begin with one of {@code names}. */
    private static Set<String> items(String queryString, String... names) {
        Set<String> items = new TreeSet<>();
        for (String piece : queryString.split("&")) {
            int equals = piece.indexOf('=');
            for (String name : names) {
                if (piece.startsWith(name) && equals + 1 < piece.length()) {
                    String value = URLDecoder.decode(piece.substring(equals + 1), StandardCharsets.UTF_8);
                    items.addAll(Arrays.asList(value.split(",")));
                }
            }
        }
        return items;
    }
}
