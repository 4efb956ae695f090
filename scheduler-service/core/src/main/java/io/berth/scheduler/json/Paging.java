package io.berth.scheduler.json;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.http.ApiFault;
import io.netty.handler.codec.http.QueryStringEncoder;
import jakarta.annotation.Nullable;
import jakarta.ws.rs.core.MultivaluedMap;
import java.util.UUID;

/** Reads the query parameters {@code marker} and {@code limit} of paged lists, and writes the link to the next page. */
public final class Paging {
    /** Maximum records per page, and the default; a larger {@code limit} is reduced to it. */
    private static final int PAGE_MAX = 1_000;

    private Paging() {}

    /** Checks all parameters. Throws ApiFault (400) for one that is repeated or contains NUL. */
    public static void check(MultivaluedMap<String, String> parameters) {
        parameters.forEach((name, values) -> {
            if (values.size() > 1) {
                throw ApiFault.invalid(name + ": is given more than once");
            }
            if (values.getFirst().indexOf(0) >= 0) {
                throw ApiFault.invalid(name + ": must not contain NUL");
            }
        });
    }

    /**
     * Returns the uuid after which the page begins; null for the first page. Throws ApiFault (400) if the parameter
     * {@code marker} is no uuid.
     */
    public static @Nullable UUID marker(MultivaluedMap<String, String> parameters) {
        String value = parameters.getFirst("marker");
        return value == null ? null : StrictObject.uuidOf(value, "marker");
    }

    /**
     * Returns the maximum records of the page, 1 to {@value #PAGE_MAX}. Throws ApiFault (400) if the parameter is no
     * positive integer.
     */
    public static int limit(MultivaluedMap<String, String> parameters) {
        String value = parameters.getFirst("limit");
        return value == null ? PAGE_MAX : limit(value, PAGE_MAX);
    }

    /** Returns the value of {@code limit}, at most {@code max}. Throws ApiFault (400) if it is no positive integer. */
    public static int limit(String value, int max) {
        if (!value.matches("[1-9][0-9]*")) {
            throw ApiFault.invalid("limit: must be an integer of at least 1");
        }
        // A number of more digits than an int has is above any maximum.
        return value.length() > 9 ? max : Math.min(max, Integer.parseInt(value));
    }

    /**
     * Adds the member {@code <list>_links}, which has the relative link to the next page.
     *
     * @param list name of the member that has the records, such as {@code instances}
     * @param parameters query parameters of this page; the link repeats all but {@code marker}
     * @param last the uuid or name of the last record on this page
     */
    public static void link(ObjectNode json, String list, MultivaluedMap<String, String> parameters, String last) {
        json.putArray(list + "_links").addObject().put("rel", "next").put("href", nextPage(parameters, last));
    }

    /** Returns the relative link to the next page; see {@link #link}. */
    public static String nextPage(MultivaluedMap<String, String> parameters, String last) {
        QueryStringEncoder next = new QueryStringEncoder("");
        parameters.forEach((name, values) -> {
            if (!name.equals("marker")) {
                next.addParam(name, values.getFirst());
            }
        });
        next.addParam("marker", last);
        return next.toString();
    }
}
