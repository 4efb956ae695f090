package io.berth.placement.query;

import io.berth.placement.http.ApiException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** Parses the parameter {@code resources}: amounts by resource class, such as {@code VCPU:2,MEMORY_MB:1024}. */
public final class ResourcesParameter {
    /**
     * Matches an integer in the forms that Python's {@code int()} accepts, such as {@code +1_000}, with ASCII digits.
     * The quantifiers are possessive, because otherwise each repetition of the group would take a stack frame.
     */
    private static final Pattern INTEGER = Pattern.compile("\\s*[+-]?\\d++(?:_\\d++)*+\\s*");
    /**
     * The value to which a larger amount is reduced. No inventory allows an allocation of more than 2^31 - 1 units, so
     * the result of the query stays the same.
     */
    private static final long AMOUNT_MAX = 1L << 40;

    private ResourcesParameter() {}

    /**
     * Parses a value into amounts of at least 1 by resource class. If a class is listed twice, the last amount counts.
     *
     * @throws ApiException 400 for an invalid value
     */
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
        long amount = number(text, AMOUNT_MAX);
        if (amount == 0 || text.indexOf('-') >= 0) {
            throw ApiException.badRequest(
                    "Requested resource " + resourceClass + " requires amount >= 1. Got: " + -amount + ".");
        }
        return amount;
    }

    /**
     * Returns the number that the ASCII digits of a text form; other characters are ignored. Returns {@code max} if the
     * number is larger. Takes linear time, whereas BigInteger would take quadratic time for 65,000 digits.
     *
     * @param max at most 2^59, so that ten times the number does not overflow
     */
    public static long number(String text, long max) {
        long number = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit >= 0 && digit <= 9) {
                number = Math.min(max, number * 10 + digit);
            }
        }
        return number;
    }

    private static ApiException badlyFormed(String got) {
        return ApiException.badRequest(
                "Badly formed resources parameter. Expected resources query string parameter in form: "
                        + "?resources=VCPU:2,MEMORY_MB:1024. Got: " + got);
    }
}
