package io.berth.placement.query;

import io.berth.placement.http.ApiException;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Reads {@code VCPU:2,MEMORY_MB:1024}. */
public final class ResourcesParameter {
    /** Possessive: a group that is repeated takes a frame of the stack each time. */
    private static final Pattern INTEGER = Pattern.compile("\\s*[+-]?\\d++(?:_\\d++)*+\\s*");
    /** No inventory has room for more than 2^31 - 1 in one allocation; larger amounts need no exact value. */
    private static final BigInteger AMOUNT_MAX = BigInteger.ONE.shiftLeft(40);

    private ResourcesParameter() {}

    /** Of a class named twice the last amount counts. */
    public static Map<String, Long> parse(String value) {
        if (value.isBlank()) {
            throw badlyFormed("empty string.");
        }
        Map<String, Long> amounts = new LinkedHashMap<>();
        for (String item : value.split(",", -1)) {
            String[] pair = item.split(":", -1);
            if (pair.length != 2) {
                throw badlyFormed(item + ".");
            }
            amounts.put(pair[0], amount(pair[0], pair[1]));
        }
        return amounts;
    }

    private static long amount(String resourceClass, String text) {
        if (!INTEGER.matcher(text).matches()) {
            throw ApiException.badRequest(
                    "Requested resource " + resourceClass + " expected positive integer amount. Got: " + text + ".");
        }
        BigInteger amount = new BigInteger(text.strip().replace("_", ""));
        if (amount.signum() < 1) {
            throw ApiException.badRequest(
                    "Requested resource " + resourceClass + " requires amount >= 1. Got: " + amount + ".");
        }
        return amount.min(AMOUNT_MAX).longValue();
    }

    private static ApiException badlyFormed(String got) {
        return ApiException.badRequest(
                "Badly formed resources parameter. Expected resources query string parameter in form: "
                        + "?resources=VCPU:2,MEMORY_MB:1024. Got: " + got);
    }
}
