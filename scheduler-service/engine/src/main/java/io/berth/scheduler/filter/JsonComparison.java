package io.berth.scheduler.filter;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Map;

/**
 * The truth, equality and order of JSON values as in Python, in which nova's JsonFilter compares them. In Python,
 * booleans are the numbers 1 and 0.
 */
final class JsonComparison {
    /** The order of one value relative to another. */
    sealed interface Order {
        /** @param sign negative: smaller, 0: equal, positive: greater */
        record Of(int sign) implements Order {}

        /** One of the values is NaN, so that no relation holds. */
        record NotANumber() implements Order {}

        /** The values have no order, because of their types. */
        record None() implements Order {}
    }

    private JsonComparison() {}

    /** Returns whether a value counts as true. Null, false, 0 and empty texts, lists and objects count as false. */
    static boolean isTrue(JsonNode value) {
        return switch (value.getNodeType()) {
            case NULL, MISSING -> false;
            case BOOLEAN -> value.booleanValue();
            case NUMBER ->
                value.doubleValue() != 0 || (value.isIntegralNumber() && value.bigIntegerValue().signum() != 0);
            case STRING -> !value.textValue().isEmpty();
            case ARRAY, OBJECT -> !value.isEmpty();
            case POJO, BINARY -> true;
        };
    }

    static boolean areEqual(JsonNode a, JsonNode b) {
        if (isNumeric(a) && isNumeric(b)) {
            return compareNumbers(a, b) instanceof Order.Of(int sign) && sign == 0;
        }
        if (a.isArray() && b.isArray()) {
            return a.size() == b.size() && firstDifference(a, b) == a.size();
        }
        if (a.isObject() && b.isObject()) {
            return a.size() == b.size()
                    && a.properties().stream().allMatch(
                            (Map.Entry<String, JsonNode> member) -> b.has(member.getKey())
                                    && areEqual(member.getValue(), b.get(member.getKey())));
        }
        return a.equals(b);
    }

    static Order compare(JsonNode a, JsonNode b) {
        if (isNumeric(a) && isNumeric(b)) {
            return compareNumbers(a, b);
        }
        if (a.isTextual() && b.isTextual()) {
            return new Order.Of(Arrays.compare(
                    a.textValue().codePoints().toArray(), b.textValue().codePoints().toArray()));
        }
        if (a.isArray() && b.isArray()) {
            int index = firstDifference(a, b);
            return index == Math.min(a.size(), b.size())
                    ? new Order.Of(Integer.compare(a.size(), b.size()))
                    : compare(a.get(index), b.get(index));
        }
        return new Order.None();
    }

    /**
     * Returns the index of the first different element; the length of the shorter list if it is a prefix of the other
     * list.
     */
    private static int firstDifference(JsonNode a, JsonNode b) {
        int index = 0;
        while (index < Math.min(a.size(), b.size()) && areEqual(a.get(index), b.get(index))) {
            index++;
        }
        return index;
    }

    private static boolean isNumeric(JsonNode value) {
        return value.isNumber() || value.isBoolean();
    }

    private static Order compareNumbers(JsonNode a, JsonNode b) {
        double left = asDouble(a);
        double right = asDouble(b);
        if (Double.isNaN(left) || Double.isNaN(right)) {
            return new Order.NotANumber();
        }
        if (Double.isInfinite(left) || Double.isInfinite(right)) {
            return new Order.Of(Double.compare(left, right));
        }
        return new Order.Of(exact(a).compareTo(exact(b)));
    }

    private static double asDouble(JsonNode value) {
        return value.isBoolean() ? value.booleanValue() ? 1 : 0 : value.doubleValue();
    }

    /** Returns a finite number without rounding, because Python compares integers with floats exactly. */
    private static BigDecimal exact(JsonNode value) {
        return value.isIntegralNumber() ? new BigDecimal(value.bigIntegerValue()) : new BigDecimal(asDouble(value));
    }
}
