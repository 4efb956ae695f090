package io.berth.deploy.fuzz;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Mutates a JSON body: replaces values; removes, adds or renames members; adds elements; or changes bytes. May do
 * several of these in one body.
 */
record BodyMutation(RandomGenerator random) {
    private static final ObjectMapper JSON = new ObjectMapper();
    /**
     * Stands for the replacement value in the tree until the tree is rendered. All marks of a body get the same value.
     */
    private static final String VALUE_MARK = "@@MARK@@";
    private static final int LONG_LIST_ELEMENTS = 100_000;
    private static final int NESTING_DEPTH = 10_000;

    /** Replacement values, in ISO-8859-1: each character is one byte of the body, so that invalid UTF-8 is possible. */
    private static final String[] VALUES = {
        "null", "true", "false", "0", "-0", "-1", "1", "1.0", "0.1", "1e999", "-1e999", "1e-999", "NaN", "Infinity",
        "-Infinity",
        "2147483647", "2147483648", "-2147483649", "9223372036854775807", "9223372036854775808", "1e19", "0x10", "01",
        "+1", ".5",
        "\"\"", "\" \"", "\"\\u0000\"", "\"\\ud800\"", "\"\\udc00\\ud800\"", "\"\\uffff\"", "\"\\u202e\\u2066\"",
        "\"\\u2028\"",
        "\"\u00c0\u0080\"", "\"\u00ed\u00a0\u0080\"", "\"\u00ff\u00fe\"", "\"\u00f4\u0090\u0080\u0080\"",
        "\"\u00e2\u0080\"",
        "\"\u00e2\u0080\u00ae\"", "\"\\r\\n" + TextMutation.FORGED_LOG_LINE + " ERROR\"",
        "\"\n" + TextMutation.FORGED_LOG_LINE + "\"",
        "\"\\u001b[2J\"", "\"%s%n%d\"", "\"${jndi:ldap://127.0.0.1:1/x}\"", "\"' OR 1=1 --\"", "\"../../etc/passwd\"",
        "[]", "{}", "[[]]", "[null]", "{\"\":{}}", "{\"a\":1,\"a\":2}", "{\"$ref\":\"#\"}", "{\"__proto__\":{}}",
        "undefined", "",
        "\"00000000-0000-0000-0000-000000000000\"", "\"urn:uuid:{11111111111141118111111111111111}\"", "\"NaN\"",
        "\"1e999\""
    };

    /**
     * Returns a mutation of a JSON body, which may be invalid JSON or invalid UTF-8. About one result in seven is the
     * body itself.
     *
     * @param valid a JSON object or array that is not empty
     */
    byte[] mutate(String valid) {
        byte[] mutated = random.nextInt(5) == 0 ? valid.getBytes(StandardCharsets.UTF_8) : mutateStructure(valid);
        return random.nextInt(4) == 0 ? mutateBytes(mutated) : mutated;
    }

    private byte[] mutateStructure(String valid) {
        JsonNode tree;
        try {
            tree = JSON.readTree(valid);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the template's body is not JSON: " + valid, e);
        }
        List<JsonNode> containers = new ArrayList<>();
        addContainers(tree, containers);
        // Usually makes one mutation; in one of six bodies, one to four.
        for (int i = random.nextInt(6) == 0 ? random.nextInt(4) : 0; i >= 0; i--) {
            mutateContainer(containers.get(random.nextInt(containers.size())));
        }
        byte[] text = tree.toString().replace('"' + VALUE_MARK + '"', value()).getBytes(StandardCharsets.ISO_8859_1);
        return text;
    }

    private static void addContainers(JsonNode node, List<JsonNode> containers) {
        if (node.isContainerNode() && !node.isEmpty()) {
            containers.add(node);
            node.forEach(child -> addContainers(child, containers));
        }
    }

    private void mutateContainer(JsonNode container) {
        if (container instanceof ArrayNode list) {
            if (random.nextBoolean()) {
                list.add(VALUE_MARK);
            } else if (!list.isEmpty()) {
                list.set(random.nextInt(list.size()), VALUE_MARK);
            }
            return;
        }
        ObjectNode object = (ObjectNode) container;
        List<String> names = new ArrayList<>();
        object.fieldNames().forEachRemaining(names::add);
        if (names.isEmpty()) {
            object.put("x", VALUE_MARK);
            return;
        }
        String name = names.get(random.nextInt(names.size()));
        switch (random.nextInt(8)) {
            case 0 -> object.remove(name);
            case 1 -> object.put(name + (char) random.nextInt(32, 255), VALUE_MARK);
            case 2 -> object.set(strangeName(), object.remove(name));
            default -> object.put(name, VALUE_MARK);
        }
    }

    private String strangeName() {
        return switch (random.nextInt(5)) {
            case 0 -> "";
            case 1 -> "\0";
            case 2 -> "\r\n" + TextMutation.FORGED_LOG_LINE;
            case 3 -> "x".repeat(100_000);
            default -> "constructor";
        };
    }

    private String value() {
        return switch (random.nextInt(400)) {
            case 0, 1 -> "[".repeat(NESTING_DEPTH) + "]".repeat(NESTING_DEPTH);
            case 2, 3 -> "{\"a\":".repeat(NESTING_DEPTH) + "1" + "}".repeat(NESTING_DEPTH);
            case 4 -> "[" + "1,".repeat(LONG_LIST_ELEMENTS - 1) + "1]";
            case 5 -> "[" + "\"CUSTOM_A\",".repeat(LONG_LIST_ELEMENTS - 1) + "\"CUSTOM_B\"]";
            case 6 -> "[" + "{},".repeat(LONG_LIST_ELEMENTS - 1) + "{}]";
            case 7 -> objectOfManyMembers();
            case 8, 9 -> "9".repeat(10_000);
            case 10, 11 -> "1" + "0".repeat(50_000) + "e-50000";
            case 12, 13 -> "\"" + "\u00e2\u0080\u00ae".repeat(30_000) + "\"";
            case 14 -> "\"" + "x".repeat(1_000_000) + "\"";
            default -> VALUES[random.nextInt(VALUES.length)];
        };
    }

    private static String objectOfManyMembers() {
        var result = new StringBuilder("{");
        for (int i = 0; i < 50_000; i++) {
            result.append(i == 0 ? "" : ",").append("\"CUSTOM_").append(i).append("\":1");
        }
        return result.append('}').toString();
    }

    /**
     * Truncates the text, changes one byte, repeats its end, adds a byte order mark, converts it to UTF-16 or inserts
     * noise.
     */
    private byte[] mutateBytes(byte[] text) {
        if (text.length == 0) {
            return text;
        }
        int index = random.nextInt(text.length);
        return switch (random.nextInt(6)) {
            case 0 -> Arrays.copyOf(text, index);
            case 1 -> {
                byte[] changed = text.clone();
                changed[index] = (byte) random.nextInt(256);
                yield changed;
            }
            case 2 -> join(text, Arrays.copyOfRange(text, index, text.length));
            case 3 -> join(new byte[] {(byte) 0xef, (byte) 0xbb, (byte) 0xbf}, text);
            case 4 -> new String(text, StandardCharsets.ISO_8859_1).getBytes(StandardCharsets.UTF_16);
            default -> {
                byte[] noise = new byte[random.nextInt(64)];
                random.nextBytes(noise);
                yield join(Arrays.copyOf(text, index), join(noise, Arrays.copyOfRange(text, index, text.length)));
            }
        };
    }

    private static byte[] join(byte[] first, byte[] second) {
        byte[] result = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, result, first.length, second.length);
        return result;
    }
}
