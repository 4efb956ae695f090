package io.berth.scheduler.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import jakarta.annotation.Nullable;
import java.util.Locale;
import java.util.function.Function;

/** A source of option values. */
public interface OptionSource {
    /** Returns the value by nova's group and option name; null if it is not stated. */
    @Nullable JsonNode find(String group, String option);

    /** Returns whether numbers, booleans and lists are written as text, as everywhere but in JSON. */
    default boolean isText() {
        return true;
    }

    /**
     * Receives, once per option, the value that counts, whether stated or default.
     *
     * @param value a number, boolean, text, list of texts or JSON; null: the option has none
     */
    default void settled(String group, String option, @Nullable Object value) {}

    /** A source without values: every option has its default. */
    OptionSource DEFAULTS = ofText(_ -> null);

    /**
     * @param lookup value by the key {@code berth.scheduler.<group>.<option>} in kebab case; null if not stated
     */
    static OptionSource ofText(Function<String, String> lookup) {
        return ofText(lookup, (_, _, _) -> {});
    }

    /** As {@link #ofText(Function)}; reports the value of each option that is read to a listener. */
    static OptionSource ofText(Function<String, String> lookup, Settled settled) {
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

    /** See {@link OptionSource#settled}. */
    @FunctionalInterface
    interface Settled {
        void note(String group, String option, @Nullable Object value);
    }

    /** @param object options of the group filter_scheduler at the top level, other groups as nested objects */
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

    /** Returns the values of one source, and for the rest those of another one, which writes text. */
    static OptionSource over(OptionSource stated, OptionSource text) {
        return (group, option) -> {
            JsonNode value = stated.find(group, option);
            return value == null ? text.find(group, option) : value;
        };
    }

    /** Returns the configuration key of an option. */
    static String key(String group, String option) {
        return ("berth.scheduler." + group + "." + option).toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
