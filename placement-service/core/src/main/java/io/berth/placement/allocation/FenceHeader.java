package io.berth.placement.allocation;

import io.berth.placement.http.ApiException;
import io.berth.placement.ledger.claim.Fence;
import io.vertx.ext.web.RoutingContext;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The request header {@code Berth-Fence}: the fencing token of a write of allocations, see {@link Fence}. The routes
 * that take it refuse any other header that begins with {@code Berth-} with 400, because a write with a misspelt header
 * would otherwise run without its fencing token.
 */
public final class FenceHeader {
    private static final String NAME = "Berth-Fence";
    private static final String BERTH_PREFIX = "Berth-";
    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,18}");

    private FenceHeader() {}

    /**
     * Returns the fencing token of the request, or {@link Fence#PLAIN} if the request has no such header.
     *
     * @throws ApiException 400 if the value is not a number from 1 to 2^63 - 1, the header is given twice, or another
     *         header begins with {@code Berth-}
     */
    static long parse(RoutingContext http) {
        long fence = Fence.PLAIN;
        for (Map.Entry<String, String> header : http.request().headers()) {
            if (isBerthHeader(header.getKey())) {
                if (!header.getKey().equalsIgnoreCase(NAME)) {
                    throw unsupported(header.getKey());
                }
                if (fence != Fence.PLAIN) {
                    throw ApiException.badRequest("The header " + NAME + " is given twice.");
                }
                fence = number(header.getValue().strip());
            }
        }
        return fence;
    }

    /**
     * Refuses every header that begins with {@code Berth-}, for routes that write allocations and take no fencing
     * token.
     *
     * @throws ApiException 400 if there is such a header
     */
    public static void refuseBerthHeaders(RoutingContext http) {
        for (Map.Entry<String, String> header : http.request().headers()) {
            if (isBerthHeader(header.getKey())) {
                throw unsupported(header.getKey());
            }
        }
    }

    private static boolean isBerthHeader(String name) {
        return name.regionMatches(true, 0, BERTH_PREFIX, 0, BERTH_PREFIX.length());
    }

    private static ApiException unsupported(String name) {
        return ApiException.badRequest("This route does not take the header " + name + ".");
    }

    private static long number(String text) {
        try {
            if (NUMBER.matcher(text).matches()) {
                return Long.parseLong(text);
            }
        } catch (NumberFormatException tooLarge) {
            // Refused below.
        }
        throw ApiException.badRequest(
                "The header " + NAME + " must be a whole number from 1 to " + Long.MAX_VALUE + ": " + text);
    }
}
