package io.berth.placement.config;

import jakarta.annotation.Nullable;
import java.util.Locale;
import java.util.Set;

/**
 * The options of a {@code placement.conf} that Berth supports. Source: upstream {@code placement/conf/placement.py},
 * and for the groups {@code cors} and {@code oslo_middleware}, oslo.middleware.
 */
enum PlacementOption {
    RANDOMIZE_ALLOCATION_CANDIDATES("placement", Kind.BOOLEAN),
    MAX_ALLOCATION_CANDIDATES("placement", Kind.INTEGER),
    ALLOCATION_CANDIDATES_GENERATION_STRATEGY("placement", Kind.STRATEGY),
    ALLOCATION_CONFLICT_RETRY_COUNT("placement", Kind.INTEGER),
    INCOMPLETE_CONSUMER_PROJECT_ID("placement", Kind.TEXT),
    INCOMPLETE_CONSUMER_USER_ID("placement", Kind.TEXT),
    ALLOWED_ORIGIN("cors", Kind.TEXT),
    ALLOW_HEADERS("cors", Kind.TEXT),
    ENABLE_PROXY_HEADERS_PARSING("oslo_middleware", Kind.BOOLEAN);

    /** The types of values, each with a description for error messages. */
    private enum Kind {
        TEXT("a text"),
        BOOLEAN("true or false"),
        INTEGER("an integer"),
        STRATEGY("depth-first or breadth-first");

        private final String description;

        Kind(String description) {
            this.description = description;
        }
    }

    private static final Set<String> TRUE = Set.of("true", "1", "on", "yes");
    private static final Set<String> FALSE = Set.of("false", "0", "off", "no");
    private static final Set<String> STRATEGIES = Set.of("depth-first", "breadth-first");

    private final String group;
    private final Kind kind;

    PlacementOption(String group, Kind kind) {
        this.group = group;
        this.kind = kind;
    }

    /** Returns the option with this name; null if Berth does not support it. */
    static @Nullable PlacementOption find(String group, String name) {
        for (PlacementOption option : values()) {
            if (option.group.equals(group) && option.optionName().equals(name)) {
                return option;
            }
        }
        return null;
    }

    private String optionName() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the option as in the file: {@code [group] option}. */
    String label() {
        return "[" + group + "] " + optionName();
    }

    /** Returns the key of Berth's configuration that the option sets. */
    String key() {
        return ("berth.placement." + group + "." + optionName()).replace('_', '-');
    }

    /** Returns a description of the valid values, for error messages. */
    String describeKind() {
        return kind.description;
    }

    /**
     * Translates a value from oslo.config's spelling to that of Berth's configuration; null if the value is invalid. An
     * integer may have up to 9 digits.
     */
    @Nullable String parse(String text) {
        return switch (kind) {
            case TEXT -> text;
            case BOOLEAN -> {
                String lower = text.toLowerCase(Locale.ROOT);
                yield TRUE.contains(lower) ? "true" : FALSE.contains(lower) ? "false" : null;
            }
            case INTEGER -> text.matches("[+-]?[0-9]{1,9}") ? String.valueOf(Integer.parseInt(text)) : null;
            case STRATEGY -> STRATEGIES.contains(text) ? text : null;
        };
    }
}
