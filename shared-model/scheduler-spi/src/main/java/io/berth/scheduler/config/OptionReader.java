package io.berth.scheduler.config;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.text.BooleanText;
import io.berth.scheduler.text.IntegerText;
import io.berth.scheduler.text.NumberText;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Reads the options of one group. Each method returns the value of an option in its type, or {@code fallback} if the
 * option is not set; for a decimal number, a blank text also counts as not set. Each method reports the returned value
 * to {@link OptionSource#settled}. {@code atLeast} is the smallest allowed number. The methods throw {@link
 * OptionInvalid} for a value of the wrong type or out of range. Numbers and booleans may be texts if {@link
 * OptionSource#isText}.
 */
record OptionReader(OptionSource source, String group) {
    /** Returns the unparsed value of any type; null if the option is not set. */
    @Nullable JsonNode unparsed(String option) {
        JsonNode value = findValue(option);
        source.settled(group, option, value);
        return value;
    }

    /**
     * Returns the value under the current name, or else under an older name; null if none is set, or the value is JSON
     * null.
     */
    private @Nullable JsonNode findValue(String option) {
        JsonNode value = source.find(group, option);
        for (String olderName : OptionNames.olderNames(group, option)) {
            JsonNode olderValue = source.find("DEFAULT", olderName);
            value = value == null ? olderValue : value;
        }
        return value == null || value.isNull() ? null : value;
    }

    int integer(String option, int fallback, int atLeast) {
        JsonNode value = findValue(option);
        if (value == null) {
            return settled(option, fallback);
        }
        Long number = value.isTextual() && source.isText()
                ? IntegerText.parse(value.textValue())
                : value.isIntegralNumber() && value.canConvertToLong() ? Long.valueOf(value.longValue()) : null;
        if (number == null || number > Integer.MAX_VALUE || number < atLeast) {
            throw invalid(option, "must be an integer from " + atLeast + " to " + Integer.MAX_VALUE);
        }
        return settled(option, number.intValue());
    }

    double decimal(String option, double fallback) {
        return decimal(option, fallback, Double.NEGATIVE_INFINITY);
    }

    double decimal(String option, double fallback, double atLeast) {
        Double number = findNumber(option);
        if (number != null && (number.isNaN() || number < atLeast)) {
            throw invalid(
                    option, Double.isInfinite(atLeast) ? "must be a number" : "must be a number of at least "
                            + atLeast);
        }
        return settled(option, number == null ? fallback : number);
    }

    /** Returns the number; null if the option is not set, or is blank in a source of texts. */
    private @Nullable Double findNumber(String option) {
        JsonNode value = findValue(option);
        if (value == null || (source.isText() && value.isTextual() && value.textValue().isBlank())) {
            return null;
        }
        Double number = value.isTextual() && source.isText()
                ? NumberText.parse(value.textValue())
                : value.isNumber() ? Double.valueOf(value.doubleValue()) : null;
        if (number == null) {
            throw invalid(option, "must be a number");
        }
        return number;
    }

    boolean bool(String option, boolean fallback) {
        JsonNode value = findValue(option);
        if (value == null) {
            return settled(option, fallback);
        }
        Boolean bool = value.isTextual() && source.isText()
                ? BooleanText.find(value.textValue())
                : value.isBoolean() ? Boolean.valueOf(value.booleanValue()) : null;
        if (bool == null) {
            throw invalid(option, "must be true or false");
        }
        return settled(option, bool);
    }

    String text(String option, String fallback) {
        String text = findText(option);
        return settled(option, text == null ? fallback : text);
    }

    /** Returns null if the option is not set. */
    @Nullable String text(String option) {
        String text = findText(option);
        source.settled(group, option, text);
        return text;
    }

    private @Nullable String findText(String option) {
        JsonNode value = findValue(option);
        if (value != null && !value.isTextual()) {
            throw invalid(option, "must be a text");
        }
        return value == null ? null : value.textValue();
    }

    /**
     * Returns the items of a JSON list, or of a text that is split at commas; items of a text are stripped, and empty
     * ones are dropped.
     */
    List<String> list(String option, List<String> fallback) {
        JsonNode value = findValue(option);
        if (value == null) {
            return settled(option, fallback);
        }
        if (value.isTextual()) {
            return settled(option, Arrays.stream(value.textValue().split(","))
                    .map(String::strip)
                    .filter(item -> !item.isEmpty())
                    .toList());
        }
        if (!value.isArray()) {
            throw invalid(option, "must be a list of texts");
        }
        var items = new ArrayList<String>();
        for (JsonNode item : value) {
            if (!item.isTextual()) {
                throw invalid(option, "must be a list of texts");
            }
            items.add(item.textValue());
        }
        return settled(option, List.copyOf(items));
    }

    private <T> T settled(String option, T value) {
        source.settled(group, option, value);
        return value;
    }

    OptionInvalid invalid(String option, String detail) {
        return new OptionInvalid(group, option, detail);
    }
}
