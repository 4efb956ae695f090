package io.berth.scheduler.request.query;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;

/**
 * Extracts the names of traits and resource classes from the query string of {@code GET /allocation_candidates}. Pure.
 */
public final class QueryNames {
    private QueryNames() {}

    /**
     * Returns all required and forbidden traits, in ascending order. Does not parse lists with {@code in:}, which this
     * service does not write for traits.
     */
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
            // An item without a colon comes from an invalid name that contains a comma, such as A,B in A,B:1. Such an
            // item is returned as a name of its own, so that the caller reports it as unknown.
            int colon = item.indexOf(':');
            classes.add(colon < 0 ? item : item.substring(0, colon));
        }
        return classes;
    }

    /**
     * Returns the items of all parameters whose names begin with one of {@code names}, so that parameters of granular
     * groups, such as {@code required_NET}, are included.
     */
    private static Set<String> items(String queryString, String... names) {
        Set<String> items = new TreeSet<>();
        for (String parameter : queryString.split("&")) {
            int equals = parameter.indexOf('=');
            for (String name : names) {
                if (parameter.startsWith(name) && equals + 1 < parameter.length()) {
                    String value = URLDecoder.decode(parameter.substring(equals + 1), StandardCharsets.UTF_8);
                    items.addAll(Arrays.asList(value.split(",")));
                }
            }
        }
        return items;
    }
}
