package io.berth.scheduler.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import jakarta.annotation.Nullable;
import java.util.Locale;
import java.util.function.Function;

/** A source of option values: the configuration of the service, or the body of a request. */
public interface OptionSource {
    /** Returns the value of an option, by nova's names of the group and the option; null if it is not set. */
    @Nullable JsonNode find(String group, String option);

    /**
     * Returns whether numbers and booleans may be given as text; true for every source except {@link #ofJson}. A list
     * may be a text with commas in every source.
     */
    default boolean isText() {
        return true;
    }

    /**
     * Receives the effective value of an option: the configured one, or else the default. {@link Options#parse} calls
     * this method once for each option.
     *
     * @param value a number, boolean, text, list of texts or JSON; null if the option has no value
     */
    default void settled(String group, String option, @Nullable Object value) {}

    /** A source without values, so that every option has its default. */
    OptionSource DEFAULTS = ofText(_ -> null);

    /**
     * Returns a source whose values are texts.
     *
     * @param lookup returns the value of the key {@code berth.scheduler.<group>.<option>} in kebab case; null if the
     *         key is not set
     */
    static OptionSource ofText(Function<String, String> lookup) {
        return ofText(lookup, (_, _, _) -> {});
    }

    /**
     * Returns a source like {@link #ofText(Function)}, which also reports the effective value of each option to a
     * listener.
     */
    static OptionSource ofText(Function<String, String> lookup, ValueListener settled) {
        return new OptionSource() {
            @Override
            public void settled(String group, String option, @Nullable Object value) {
                settled.note(group, option, value);
            }

            @Override
            public @Nullable JsonNode find(String group, String option) {
                String value = lookup.apply(key(group, option));
                return value == null ? null : TextNode.valueOf(value);
            }
        };
    }

    /** A listener for effective values, see {@link OptionSource#settled}. */
    @FunctionalInterface
    interface ValueListener {
        void note(String group, String option, @Nullable Object value);
    }

    /**
     * Returns a source whose values are members of a JSON object.
     *
     * @param object object with the options of the group filter_scheduler as members, and each other group as a nested
     *         object
     */
    static OptionSource ofJson(JsonNode object) {
        return new OptionSource() {
            @Override
            public @Nullable JsonNode find(String group, String option) {
                return (group.equals("filter_scheduler") ? object : object.path(group)).get(option);
            }

            @Override
            public boolean isText() {
                return false;
            }
        };
    }

    /**
     * Returns a source that finds an option in {@code preferred}, or else in {@code text}. Numbers and booleans may be
     * given as text in both, even if {@code preferred} is a source of {@link #ofJson}.
     */
    static OptionSource over(OptionSource preferred, OptionSource text) {
        return (group, option) -> {
            JsonNode value = preferred.find(group, option);
            return value == null ? text.find(group, option) : value;
        };
    }

    /**
     * Returns the configuration key of an option, such as {@code berth.scheduler.filter-scheduler.host-subset-size}.
     */
    static String key(String group, String option) {
        return ("berth.scheduler." + group + "." + option).toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
