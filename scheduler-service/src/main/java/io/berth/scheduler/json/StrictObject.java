package io.berth.scheduler.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.numa.CpuSet;
import io.berth.scheduler.text.Uuids;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * A JSON object whose members are asked for one by one; what nobody asked for is refused. Every complaint is an
 * {@link ApiFault} (400) that starts with the path of the member. A member that is null counts as absent.
 */
public final class StrictObject {
    /** Names, codes and reasons; longer text is no name. */
    private static final int TEXT_LENGTH_MAX = 65_535;

    /** What placement's own columns hold. */
    private static final long AMOUNT_MAX = Integer.MAX_VALUE;

    private final JsonNode node;
    private final String path;
    private final Set<String> asked = new HashSet<>();

    public StrictObject(JsonNode node, String path) {
        if (node == null || !node.isObject()) {
            throw ApiFault.invalid(path + ": must be an object");
        }
        this.node = node;
        this.path = path;
    }

    public JsonNode node() {
        return node;
    }

    public void nothingElse() {
        for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!asked.contains(name)) {
                throw ApiFault.invalid(at(name) + ": unknown member");
            }
        }
    }

    public String requiredText(String name) {
        String text = text(name);
        if (text == null || text.isBlank()) {
            throw ApiFault.invalid(at(name) + ": is required and must not be empty");
        }
        return text;
    }

    /** Null when absent. */
    public String text(String name) {
        JsonNode value = member(name);
        return value == null ? null : asText(value, at(name));
    }

    public String oneOf(String name, Set<String> permitted) {
        String text = requiredText(name);
        if (!permitted.contains(text)) {
            throw ApiFault.invalid(at(name) + ": must be one of " + String.join(", ", new TreeSet<>(permitted)));
        }
        return text;
    }

    public boolean flag(String name, boolean absent) {
        JsonNode value = member(name);
        if (value == null) {
            return absent;
        }
        if (!value.isBoolean()) {
            throw ApiFault.invalid(at(name) + ": must be true or false");
        }
        return value.booleanValue();
    }

    public int integer(String name, int absent) {
        Integer value = integerOrNull(name);
        return value == null ? absent : value;
    }

    public Integer integerOrNull(String name) {
        JsonNode value = member(name);
        if (value == null) {
            return null;
        }
        if (!value.isIntegralNumber() || !value.canConvertToInt()) {
            throw ApiFault.invalid(at(name) + ": must be an integer of 32 bits");
        }
        return value.intValue();
    }

    /** Null when absent. */
    public Integer positive(String name) {
        Integer value = integerOrNull(name);
        if (value != null && value < 1) {
            throw ApiFault.invalid(at(name) + ": must be at least 1");
        }
        return value;
    }

    /** Null when absent. */
    public Long longOrNull(String name) {
        JsonNode value = member(name);
        if (value == null) {
            return null;
        }
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw ApiFault.invalid(at(name) + ": must be an integer of 64 bits");
        }
        return value.longValue();
    }

    public long longInteger(String name, long absent) {
        Long value = longOrNull(name);
        return value == null ? absent : value;
    }

    /** Whole or fractional. */
    public double number(String name, double absent) {
        JsonNode value = member(name);
        if (value == null) {
            return absent;
        }
        if (!value.isNumber() || !Double.isFinite(value.doubleValue())) {
            throw ApiFault.invalid(at(name) + ": must be a number");
        }
        return value.doubleValue();
    }

    /** A count or size: 0 when absent, at most {@value #AMOUNT_MAX}. */
    public long amount(String name) {
        long value = longInteger(name, 0);
        if (value < 0 || value > AMOUNT_MAX) {
            throw ApiFault.invalid(at(name) + ": must be between 0 and " + AMOUNT_MAX);
        }
        return value;
    }

    /** Host CPUs by number; empty when absent. */
    public CpuSet cpus(String name) {
        return asCpus(list(name), at(name));
    }

    /** Sets of host CPUs; empty when absent. */
    public List<CpuSet> cpuSets(String name) {
        List<CpuSet> sets = new ArrayList<>();
        JsonNode list = list(name);
        for (int i = 0; i < list.size(); i++) {
            sets.add(asCpus(list.get(i), at(name) + "[" + i + "]"));
        }
        return sets;
    }

    /** Empty when absent. */
    public List<StrictObject> objects(String name) {
        List<StrictObject> objects = new ArrayList<>();
        JsonNode list = list(name);
        for (int i = 0; i < list.size(); i++) {
            objects.add(new StrictObject(list.get(i), at(name) + "[" + i + "]"));
        }
        return objects;
    }

    /** Lists of texts; null when absent. */
    public List<List<String>> textLists(String name) {
        if (member(name) == null) {
            return null;
        }
        List<List<String>> lists = new ArrayList<>();
        JsonNode list = list(name);
        for (int i = 0; i < list.size(); i++) {
            String path = at(name) + "[" + i + "]";
            if (!list.get(i).isArray()) {
                throw ApiFault.invalid(path + ": must be a list");
            }
            List<String> texts = new ArrayList<>();
            for (int j = 0; j < list.get(i).size(); j++) {
                texts.add(asText(list.get(i).get(j), path + "[" + j + "]"));
            }
            lists.add(texts);
        }
        return lists;
    }

    /** Null when absent. */
    public UUID uuid(String name) {
        JsonNode value = member(name);
        return value == null ? null : asUuid(value, at(name));
    }

    /** In the order given; empty when absent. */
    public List<String> texts(String name) {
        List<String> texts = new ArrayList<>();
        JsonNode list = list(name);
        for (int i = 0; i < list.size(); i++) {
            texts.add(asText(list.get(i), at(name) + "[" + i + "]"));
        }
        return texts;
    }

    /** Canonical uuids as text; empty when absent. */
    public List<String> uuidTexts(String name) {
        List<String> texts = new ArrayList<>();
        JsonNode list = list(name);
        for (int i = 0; i < list.size(); i++) {
            texts.add(asUuid(list.get(i), at(name) + "[" + i + "]").toString());
        }
        return texts;
    }

    /** In the order given; empty when absent. */
    public Map<String, String> textMap(String name) {
        JsonNode map = freeObject(name);
        Map<String, String> texts = new LinkedHashMap<>();
        for (var entry : map.properties()) {
            texts.put(entry.getKey(), asText(entry.getValue(), at(name) + "." + entry.getKey()));
        }
        return texts;
    }

    /** An object of any content; an empty one when absent. */
    public JsonNode freeObject(String name) {
        JsonNode value = freeObjectOrNull(name);
        return value == null ? JsonNodeFactory.instance.objectNode() : value;
    }

    /** An object of any content; null when absent. */
    public JsonNode freeObjectOrNull(String name) {
        JsonNode value = member(name);
        if (value != null && !value.isObject()) {
            throw ApiFault.invalid(at(name) + ": must be an object");
        }
        return value;
    }

    /** Whatever stands there, null when absent. */
    public JsonNode any(String name) {
        return member(name);
    }

    /** Null when absent. */
    public StrictObject object(String name) {
        JsonNode value = member(name);
        return value == null ? null : new StrictObject(value, at(name));
    }

    private JsonNode list(String name) {
        JsonNode value = member(name);
        if (value == null) {
            return JsonNodeFactory.instance.arrayNode();
        }
        if (!value.isArray()) {
            throw ApiFault.invalid(at(name) + ": must be a list");
        }
        return value;
    }

    private JsonNode member(String name) {
        asked.add(name);
        JsonNode value = node.get(name);
        return value == null || value.isNull() ? null : value;
    }

    private String at(String name) {
        return path + "." + name;
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

    private static CpuSet asCpus(JsonNode list, String path) {
        if (!list.isArray()) {
            throw ApiFault.invalid(path + ": must be a list");
        }
        int[] cpus = new int[list.size()];
        for (int i = 0; i < cpus.length; i++) {
            JsonNode cpu = list.get(i);
            if (!cpu.isIntegralNumber() || !cpu.canConvertToInt() || cpu.intValue() < 0
                    || cpu.intValue() > CpuSet.CPU_MAX) {
                throw ApiFault.invalid(path + "[" + i + "]: must be a CPU number up to " + CpuSet.CPU_MAX);
            }
            cpus[i] = cpu.intValue();
        }
        return CpuSet.of(cpus);
    }

    private static UUID asUuid(JsonNode value, String path) {
        UUID uuid = Uuids.find(value.isTextual() ? value.textValue() : "");
        if (uuid == null) {
            throw ApiFault.invalid(path + ": must be a uuid");
        }
        return uuid;
    }
}
