package io.berth.placement.candidate.explanation;

import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.json.JsonLists;
import io.berth.placement.fleet.Provider;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.util.List;
import java.util.Locale;

/**
 * One cause for which a tree is not a candidate, with the wanted and the available quantity.
 *
 * @param by the demand that is not met, as in a query string ({@code resources=VCPU:4}), or the limit that excludes the
 *         tree from the response
 * @param with demands, as in a query string, that cannot be met together with {@code by}; empty if {@code by} cannot be
 *         met even alone
 * @param wanted what the query demands; for {@link Code#CUT_BY_LIMIT} the limit
 * @param had what {@code provider}, or several providers together, have of it, or the limit of their inventories that
 *         excludes it; for {@link Code#CUT_BY_LIMIT} the number of trees that have candidates
 * @param unit the resource class of an amount, or {@code groups}; null for other demands
 * @param provider the provider that {@code had} belongs to; null if {@code had} does not belong to one provider
 */
record Obstacle(
        String by, Code code, List<String> with, Measure wanted, Measure had, @Nullable String unit,
        @Nullable Provider provider) {
    /** The most names in one list; a longer list is cut, and {@code ...} is added. */
    static final int NAMES_MAX = 100;

    /** A demanded or available quantity. */
    sealed interface Measure {
        /** A number in the obstacle's unit. */
        record Units(long count) implements Measure {}

        /** Names or uuids; a forbidden name begins with {@code !}. */
        record Names(List<String> list) implements Measure {
            public Names {
                list = list.size() <= NAMES_MAX
                        ? List.copyOf(list)
                        : java.util.stream.Stream.concat(list.stream().limit(NAMES_MAX),
                                java.util.stream.Stream.of("..."))
                                .toList();
            }
        }
    }

    /**
     * The reason codes, each with the format of its text. The arguments of the format are {@code wanted}, {@code had}
     * and {@code unit}, in this order.
     */
    enum Code {
        CAPACITY("%2$s %3$s free, %1$s are wanted"),
        MIN_UNIT("at least %2$s %3$s at a time, %1$s are wanted"),
        MAX_UNIT("at most %2$s %3$s at a time, %1$s are wanted"),
        STEP_SIZE("only multiples of %2$s %3$s, %1$s are wanted"),
        NO_INVENTORY("no inventory of %3$s, %1$s are wanted"),
        NO_SHARING_PROVIDER("no inventory of %3$s, and in no aggregate that shares it: %1$s; its aggregates: %2$s"),
        TRAIT_MISSING("lacks trait %1$s, has: %2$s"),
        TRAIT_FORBIDDEN("has forbidden trait %2$s"),
        NOT_IN_AGGREGATE("in no aggregate of %1$s, but in: %2$s"),
        IN_FORBIDDEN_AGGREGATE("in forbidden aggregate %2$s"),
        NOT_IN_TREE("in the tree of %2$s, not of %1$s"),
        ROOT_REQUIRED("the root must have %1$s, and has: %2$s"),
        INVENTORY_PRESENT("has an inventory of %2$s, which the query excludes"),
        SAME_SUBTREE("groups %1$s are not in one subtree; providers that could serve them: %2$s"),
        ISOLATED_GROUPS_COLLIDE("%1$s groups need a provider each, %2$s can serve them"),
        CUT_BY_LIMIT("a candidate, but the response is limited to %1$s candidates, and %2$s trees have candidates");

        private final String format;

        Code(String format) {
            this.format = format;
        }

        /** Returns the code as in JSON. */
        String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Returns the obstacle as one line for an operator. */
    String text() {
        String reason = code.format.formatted(amountText(wanted), amountText(had), unit);
        return by + ": " + (provider == null ? "" : provider.name() + ": ") + reason
                + (with.isEmpty() ? "" : " (together with " + String.join(", ", with) + ")");
    }

    private static String amountText(Measure measure) {
        return switch (measure) {
            case Measure.Units units -> String.valueOf(units.count());
            case Measure.Names names -> names.list().isEmpty() ? "none" : String.join(", ", names.list());
        };
    }

    /** Writes the members of the obstacle's JSON object. */
    void write(JsonGenerator json) throws IOException {
        json.writeStringField("stage", "placement");
        json.writeStringField("by", by);
        json.writeStringField("code", code.text());
        write(json, "wanted", wanted);
        write(json, "had", had);
        if (unit != null) {
            json.writeStringField("unit", unit);
        }
        if (provider != null) {
            json.writeStringField("provider", provider.uuid().toString());
            json.writeStringField("name", provider.name());
        }
        if (!with.isEmpty()) {
            write(json, "with", new Measure.Names(with));
        }
        json.writeStringField("text", text());
    }

    private static void write(JsonGenerator json, String member, Measure measure) throws IOException {
        switch (measure) {
            case Measure.Units units -> json.writeNumberField(member, units.count());
            case Measure.Names names -> JsonLists.writeTexts(json, member, names.list());
        }
    }
}
