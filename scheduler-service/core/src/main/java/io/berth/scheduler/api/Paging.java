package io.berth.scheduler.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.json.StrictObject;
import io.netty.handler.codec.http.QueryStringEncoder;
import jakarta.annotation.Nullable;
import jakarta.ws.rs.core.MultivaluedMap;
import java.util.UUID;

/** Reads the parameters of lists that have pages, and writes the link to the next page. */
final class Paging {
    private static final int PAGE_MAX = 1_000;

    private Paging() {}

    /** Throws ApiFault (400) for a parameter that is repeated or contains NUL. */
    static void check(MultivaluedMap<String, String> parameters) {
        parameters.forEach((name, values) -> {
            if (values.size() > 1) {
                throw ApiFault.invalid(name + ": is given more than once");
            }
            if (values.getFirst().indexOf(0) >= 0) {
                throw ApiFault.invalid(name + ": text must not hold NUL");
            }
        });
    }

    /** Returns the uuid after which the page begins; null for the first page. */
    static @Nullable UUID marker(MultivaluedMap<String, String> parameters) {
        String stated = parameters.getFirst("marker");
        return stated == null ? null : StrictObject.uuidOf(stated, "marker");
    }

    static int limit(MultivaluedMap<String, String> parameters) {
        String stated = parameters.getFirst("limit");
        if (stated == null) {
            return PAGE_MAX;
        }
        if (!stated.matches("[1-9][0-9]{0,8}")) {
            throw ApiFault.invalid("limit: must be an integer of at least 1");
        }
        return Math.min(PAGE_MAX, Integer.parseInt(stated));
    }

    /** Adds the relative link to the page after this record. */
    static void link(ObjectNode json, String list, MultivaluedMap<String, String> parameters, UUID last) {
        QueryStringEncoder next = new QueryStringEncoder("");
        parameters.forEach((name, values) -> {
            if (!name.equals("marker")) {
                next.addParam(name, values.getFirst());
            }
        });
        next.addParam("marker", last.toString());
        json.putArray(list + "_links").addObject().put("rel", "next").put("href", next.toString());
    }
}
