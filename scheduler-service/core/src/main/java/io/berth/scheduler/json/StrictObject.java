package io.berth.scheduler.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.berth.model.text.NearNames;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.numa.CpuSet;
import io.berth.scheduler.text.Uuids;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A JSON object whose members are read one by one. {@link #refuseUnreadMembers} refuses the members that were not read.
 * All methods throw {@link ApiFault} (400) for an invalid value; the detail starts with the JSON path of the member. A
 * member that is null counts as absent. For an absent member, methods with a parameter {@code absent} return this
 * parameter.
 */
public final class StrictObject {
    /** Maximum characters of a string; a longer one is refused. */
    private static final int TEXT_LENGTH_MAX = 65_535;

    public static final Reader<Long> LONG =
            of(value -> value.isIntegralNumber() && value.canConvertToLong(), "an integer of 64 bits",
                    JsonNode::longValue);
    public static final Reader<String> TEXT = StrictObject::asText;
    public static final Reader<JsonNode> OBJECT = of(JsonNode::isObject, "an object", value -> value);
    /** Reads a uuid, and returns its canonical form. */
    public static final Reader<String> UUID_TEXT = (value, path) -> asUuid(value, path).toString();

    private static final Reader<Boolean> FLAG = of(JsonNode::isBoolean, "true or false", JsonNode::booleanValue);
    private static final Reader<Integer> INTEGER =
            of(value -> value.isIntegralNumber() && value.canConvertToInt(), "an integer of 32 bits",
                    JsonNode::intValue);
    private static final Reader<Double> NUMBER = of(
            value -> value.isNumber() && Double.isFinite(value.doubleValue()), "a number", JsonNode::doubleValue);
    private static final Reader<Integer> CPU = of(
            value -> value.isIntegralNumber() && value.canConvertToInt()
                    && value.intValue() >= 0 && value.intValue() <= CpuSet.CPU_MAX,
            "a CPU number up to " + CpuSet.CPU_MAX,
            JsonNode::intValue);
    private static final Reader<CpuSet> CPUS = (value, path) -> CpuSet.of(listOf(CPU).read(value, path));

    private final JsonNode node;
    private final String path;
    /** Names of the members that were read. */
    private final Set<String> readMembers = new HashSet<>();

    /**
     * Throws {@link ApiFault} (400) if the node is not an object.
     *
     * @param path JSON path of the object in the body, such as {@code $}
     */
    public StrictObject(JsonNode node, String path) {
        this.node = OBJECT.read(node, path);
        this.path = path;
    }

    /**
     * Converts a JSON value. The value may be a JSON null only if it is an element of a list or map; a member that is
     * null is not converted. Throws ApiFault (400) for an invalid value; the detail starts with its path.
     */
    public interface Reader<T> {
        T read(JsonNode value, String path);
    }

    /** @param description completes the error "must be ..." */
    private static <T> Reader<T> of(Predicate<JsonNode> permitted, String description, Function<JsonNode, T> read) {
        return (value, path) -> {
            if (!permitted.test(value)) {
                throw ApiFault.invalid(path + ": must be " + description);
            }
            return read.apply(value);
        };
    }

    /** Returns a reader of lists, which keeps the order of the elements. */
    public static <T> Reader<List<T>> listOf(Reader<T> item) {
        return (list, path) -> {
            if (!list.isArray()) {
                throw ApiFault.invalid(path + ": must be a list");
            }
            List<T> items = new ArrayList<>(list.size());
            for (int i = 0; i < list.size(); i++) {
                items.add(item.read(list.get(i), path + "[" + i + "]"));
            }
            return items;
        };
    }

    /** Returns a reader of objects whose names are not fixed, as maps in the order of the members. */
    public static <T> Reader<Map<String, T>> mapOf(Reader<T> value) {
        return (map, path) -> {
            Map<String, T> values = new LinkedHashMap<>();
            OBJECT.read(map, path).properties().forEach(
                    member -> values.put(member.getKey(), value.read(member.getValue(), path + "." + member.getKey())));
            return values;
        };
    }

    /** Returns a reader of objects that refuses members that {@code reader} does not read. */
    public static <T> Reader<T> objectOf(Function<StrictObject, T> reader) {
        return (value, path) -> {
            var object = new StrictObject(value, path);
            T read = reader.apply(object);
            object.refuseUnreadMembers();
            return read;
        };
    }

    /** Returns the whole object, without marking its members as read. */
    public JsonNode node() {
        return node;
    }

    /** Returns the path of the object in the body, for errors about the whole object. */
    public String path() {
        return path;
    }

    /** Returns the whole object, and marks all members as read. */
    public JsonNode readWhole() {
        node.fieldNames().forEachRemaining(readMembers::add);
        return node;
    }

    /**
     * Throws {@link ApiFault} (400) for a member that was not read. The detail has the nearest known name, if one is
     * similar.
     */
    public void refuseUnreadMembers() {
        node.fieldNames().forEachRemaining(name -> {
            if (!readMembers.contains(name)) {
                throw invalid(name, NearNames.of(name, readMembers).stream()
                        .findFirst()
                        .map(near -> "unknown member, did you mean %s?".formatted(near))
                        .orElse("unknown member"));
            }
        });
    }

    /** Returns a fault (400) about a member, for the caller to throw. */
    public ApiFault invalid(String name, String why) {
        return ApiFault.invalid(path + "." + name + ": " + why);
    }

    /** Reads a member; null if absent. */
    public <T> @Nullable T find(String name, Reader<T> reader) {
        JsonNode value = anyValue(name);
        return value == null ? null : reader.read(value, path + "." + name);
    }

    private <T> T find(String name, Reader<T> reader, T absent) {
        T value = find(name, reader);
        return value == null ? absent : value;
    }

    private <T> T required(String name, Reader<T> reader) {
        T value = find(name, reader);
        if (value == null) {
            throw invalid(name, "is required");
        }
        return value;
    }

    /** Reads an object, and refuses members that {@code reader} does not read; null if absent. */
    public <T> @Nullable T object(String name, Function<StrictObject, T> reader) {
        return find(name, objectOf(reader));
    }

    public <T> T requiredObject(String name, Function<StrictObject, T> reader) {
        return required(name, objectOf(reader));
    }

    /** Reads a list; empty if absent. */
    public <T> List<T> list(String name, Reader<T> item) {
        return find(name, listOf(item), List.of());
    }

    /** Reads a list of objects like {@link #object}; empty if absent. */
    public <T> List<T> objects(String name, Function<StrictObject, T> reader) {
        return list(name, objectOf(reader));
    }

    /** Reads an object whose names are not fixed; empty if absent. */
    public <T> Map<String, T> map(String name, Reader<T> value) {
        return find(name, mapOf(value), Map.of());
    }

    public String requiredText(String name) {
        String text = text(name);
        if (text == null || text.isBlank()) {
            throw invalid(name, "is required and must not be empty");
        }
        return text;
    }

    /** Reads a string, which may be empty; null if absent. */
    public @Nullable String text(String name) {
        return find(name, TEXT);
    }

    /** Reads a required string that must be one of the permitted ones. */
    public String oneOf(String name, Set<String> permitted) {
        String text = requiredText(name);
        if (!permitted.contains(text)) {
            throw invalid(name, "must be one of " + String.join(", ", new TreeSet<>(permitted)));
        }
        return text;
    }

    public boolean flag(String name, boolean absent) {
        return find(name, FLAG, absent);
    }

    public int integer(String name, int absent) {
        return find(name, INTEGER, absent);
    }

    /** Reads an integer; null if absent. */
    public @Nullable Integer integerOrNull(String name) {
        return find(name, INTEGER);
    }

    /** Reads an integer of at least 1; null if absent. */
    public @Nullable Integer positive(String name) {
        Integer value = integerOrNull(name);
        if (value != null && value < 1) {
            throw invalid(name, "must be at least 1");
        }
        return value;
    }

    /** Reads an integer of 64 bits; null if absent. */
    public @Nullable Long longOrNull(String name) {
        return find(name, LONG);
    }

    /** Reads an integer of 64 bits; 0 if absent. */
    public long longInteger(String name) {
        return find(name, LONG, 0L);
    }

    /** Reads an integer of min to max, both inclusive; null if absent. */
    public @Nullable Long longWithin(String name, long min, long max) {
        return find(name, within(min, max));
    }

    /** Returns a reader of integers from min to max, both inclusive. */
    public static Reader<Long> within(long min, long max) {
        return (value, path) -> {
            long number = LONG.read(value, path);
            if (number < min || number > max) {
                throw ApiFault.invalid("%s: must be between %d and %d".formatted(path, min, max));
            }
            return number;
        };
    }

    /** Reads a finite number; {@code absent} if absent. */
    public double number(String name, double absent) {
        return find(name, NUMBER, absent);
    }

    /** Reads a list of CPU numbers, 0 to {@link CpuSet#CPU_MAX}; empty if absent. */
    public CpuSet cpus(String name) {
        return find(name, CPUS, CpuSet.EMPTY);
    }

    /** Reads a list of lists of CPU numbers; empty if absent. */
    public List<CpuSet> cpuSets(String name) {
        return list(name, CPUS);
    }

    /** Reads a uuid; null if absent. */
    public @Nullable UUID uuid(String name) {
        return find(name, StrictObject::asUuid);
    }

    public UUID requiredUuid(String name) {
        return required(name, StrictObject::asUuid);
    }

    /** Reads a list of strings; empty if absent. */
    public List<String> texts(String name) {
        return list(name, TEXT);
    }

    /** Reads a list of lists of strings; empty if absent. */
    public List<List<String>> textLists(String name) {
        return list(name, listOf(TEXT));
    }

    /** Reads a list of uuids, and returns their canonical forms; empty if absent. */
    public List<String> uuidTexts(String name) {
        return list(name, UUID_TEXT);
    }

    /** Reads an object with any members; returns an empty object if absent. */
    public JsonNode anyObject(String name) {
        return find(name, OBJECT, JsonNodeFactory.instance.objectNode());
    }

    /** Reads a value of any type; null if absent. */
    public @Nullable JsonNode anyValue(String name) {
        readMembers.add(name);
        JsonNode value = node.get(name);
        return value == null || value.isNull() ? null : value;
    }

    private static String asText(JsonNode value, String path) {
        if (!value.isTextual()) {
            throw ApiFault.invalid(path + ": must be a string");
        }
        String text = value.textValue();
        if (text.length() > TEXT_LENGTH_MAX) {
            throw ApiFault.invalid(path + ": must not be longer than " + TEXT_LENGTH_MAX + " characters");
        }
        return text;
    }

    private static UUID asUuid(JsonNode value, String path) {
        return uuidOf(value.isTextual() ? value.textValue() : "", path);
    }

    /**
     * Parses a uuid in a URL or in a member's value. Throws ApiFault (400) for other text.
     *
     * @param name name of the URL parameter or JSON path of the member, for the error
     */
    public static UUID uuidOf(String text, String name) {
        UUID uuid = Uuids.find(text);
        if (uuid == null) {
            throw ApiFault.invalid(name + ": must be a uuid");
        }
        return uuid;
    }
}
