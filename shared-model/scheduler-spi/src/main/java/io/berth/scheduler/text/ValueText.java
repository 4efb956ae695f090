package io.berth.scheduler.text;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.annotation.Nullable;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/**
 * Renders values as Python's {@code str} does, because upstream compares these texts: {@code True}, {@code 2.0}, {@code
 * ['aes', 'mmx']}.
 */
public final class ValueText {
    /**
     * Numbers with a decimal exponent below this one, or of at least {@link #PLAIN_EXPONENT_MAX}, are rendered with an
     * exponent.
     */
    private static final int PLAIN_EXPONENT_MIN = -4;

    private static final int PLAIN_EXPONENT_MAX = 16;

    private ValueText() {}

    /** Returns the text of a value: null, a boolean, a number, a text, a list of these, or JSON. */
    public static String of(@Nullable Object value) {
        return switch (value) {
            case null -> "None";
            case JsonNode node -> of(node);
            case Boolean bool -> bool ? "True" : "False";
            case Double number -> decimal(number);
            case List<?> list ->
                list.stream().map(ValueText::renderElement).collect(Collectors.joining(", ", "[", "]"));
            default -> value.toString();
        };
    }

    private static String of(JsonNode node) {
        return switch (node.getNodeType()) {
            case STRING -> node.textValue();
            case BOOLEAN -> node.booleanValue() ? "True" : "False";
            case NUMBER -> node.isIntegralNumber() ? node.bigIntegerValue().toString() : decimal(node.doubleValue());
            case ARRAY -> StreamSupport.stream(node.spliterator(), false)
                    .map(ValueText::renderElement)
                    .collect(Collectors.joining(", ", "[", "]"));
            case OBJECT -> node.properties().stream()
                    .map(member -> quote(member.getKey()) + ": " + renderElement(member.getValue()))
                    .collect(Collectors.joining(", ", "{", "}"));
            case NULL, MISSING, POJO, BINARY -> "None";
        };
    }

    private static String renderElement(Object element) {
        boolean isText = element instanceof String || (element instanceof JsonNode node && node.isTextual());
        return isText ? quote(of(element)) : of(element);
    }

    private static String quote(String text) {
        char quoteMark = text.indexOf('\'') >= 0 && text.indexOf('"') < 0 ? '"' : '\'';
        return quoteMark
                + (quoteMark == '\'' ? text.replace("\\", "\\\\").replace("'", "\\'") : text.replace("\\", "\\\\"))
                + quoteMark;
    }

    /**
     * Renders a number as Python's {@code repr} does: with the fewest digits that identify it, and at least one digit
     * after the point unless it has an exponent.
     */
    static String decimal(double number) {
        if (Double.isNaN(number)) {
            return "nan";
        }
        if (Double.isInfinite(number)) {
            return number > 0 ? "inf" : "-inf";
        }
        if (number == 0) {
            return Double.toString(number);
        }
        BigDecimal digits = new BigDecimal(Double.toString(number)).stripTrailingZeros();
        int exponent = digits.precision() - digits.scale() - 1;
        if (exponent >= PLAIN_EXPONENT_MIN && exponent < PLAIN_EXPONENT_MAX) {
            String plain = digits.toPlainString();
            return plain.indexOf('.') >= 0 ? plain : plain + ".0";
        }
        String mantissa = digits.movePointLeft(exponent).toPlainString();
        return "%se%s%02d".formatted(mantissa, exponent < 0 ? "-" : "+", Math.abs(exponent));
    }
}
