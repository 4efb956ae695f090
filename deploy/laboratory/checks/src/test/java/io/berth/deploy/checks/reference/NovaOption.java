package io.berth.deploy.checks.reference;

import io.berth.scheduler.config.OptionInvalid;
import io.berth.scheduler.config.OptionNames;
import io.berth.scheduler.config.OptionSource;
import io.berth.scheduler.config.Options;
import jakarta.annotation.Nullable;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One of nova's options, as {@link Options} takes it.
 *
 * @param type in words
 * @param byDefault empty: none
 * @param range in words; empty: any
 * @param text its description; empty if it has none
 * @param older names in the group DEFAULT that count too
 */
record NovaOption(
        String group, String name, String type, String byDefault, String range, String text, List<String> older) {
    private static final Pattern AT_LEAST = Pattern.compile(".*(?:at least|integer from) (\\S+)(?: to \\d+)?");
    private static final String FAR_BELOW = "-2000000000";
    private static final String ANY_TEXT = "x=1";
    private static final String ANOTHER_DRIVER = "chance_scheduler";

    /** Returns all options in the order in which they are read. */
    static List<NovaOption> all(Sources sources) {
        List<NovaOption> found = new ArrayList<>();
        Options.parse(OptionSource.ofText(
                _ -> null, (group, name, value) -> found.add(of(group, name, value, sources))));
        return found;
    }

    private static NovaOption of(String group, String name, @Nullable Object byDefault, Sources sources) {
        String another = switch (byDefault) {
            case Integer number -> String.valueOf(number + 1);
            case Double number -> String.valueOf(number + 1);
            case Boolean bool -> String.valueOf(!bool);
            case null, default -> refusal(group, name, ANY_TEXT) == null ? ANY_TEXT : ANOTHER_DRIVER;
        };
        String refusal = refusal(group, name, byDefault instanceof Number ? FAR_BELOW : ANY_TEXT);
        return new NovaOption(
                group,
                name,
                type(name, byDefault),
                words(byDefault),
                byDefault instanceof Boolean || refusal == null ? "" : range(refusal),
                text(Options.DEFAULTS, with(group, name, another), sources),
                OptionNames.olderNames(group, name));
    }

    private static String type(String name, @Nullable Object byDefault) {
        return switch (byDefault) {
            case Integer _ -> "integer";
            case Double _ -> "number";
            case Boolean _ -> "boolean";
            case List<?> _ -> "list";
            case null -> name.equals("alias") ? "JSON" : "text";
            default -> "text";
        };
    }

    private static String words(@Nullable Object value) {
        return switch (value) {
            case null -> "";
            case List<?> items -> String.join(", ", items.stream().map(String::valueOf).toList());
            case Double number when number == Math.rint(number) -> String.valueOf(number.longValue());
            default -> String.valueOf(value);
        };
    }

    private static String range(String refusal) {
        Matcher bound = AT_LEAST.matcher(refusal);
        return bound.matches() ? "at least " + bound.group(1).replaceFirst("\\.0$", "") : "";
    }

    /** Returns the error for the value, or null if the value is accepted. */
    private static @Nullable String refusal(String group, String name, String value) {
        try {
            with(group, name, value);
            return null;
        } catch (OptionInvalid wrong) {
            return wrong.getMessage();
        }
    }

    private static Options with(String group, String name, String value) {
        String key = OptionSource.key(group, name);
        return Options.parse(OptionSource.ofText(asked -> asked.equals(key) ? value : null));
    }

    /** Returns the description of the component that changes with the option. */
    private static String text(Record before, Record after, Sources sources) {
        for (RecordComponent component : before.getClass().getRecordComponents()) {
            Object was = valueOf(component, before);
            Object is = valueOf(component, after);
            if (Objects.equals(was, is)) {
                continue;
            }
            boolean group = was instanceof Record && was.getClass().getPackage() == Options.class.getPackage();
            return group
                    ? text((Record) was, (Record) is, sources)
                    : sources.ofClass(before.getClass().getName()).parameters().getOrDefault(component.getName(), "");
        }
        throw new IllegalStateException("another value changes nothing in " + before);
    }

    private static Object valueOf(RecordComponent component, Record of) {
        try {
            return component.getAccessor().invoke(of);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
