package io.berth.placement.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Format;
import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonMetaSchema;
import com.networknt.schema.JsonNodePath;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import io.berth.model.Microversion;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * A JSON schema (draft 4) from {@code resources/schema}. Messages about violations are worded as in upstream, with the
 * validator's own text for rarely used keywords. Thread-safe. Loading a schema takes time; therefore every schema is
 * loaded when the service starts: by a bean that is created then, not by the first request on an event loop.
 */
public final class Schema {
    /**
     * The form of a uuid after {@link #uuidDigits}: 32 hexadecimal digits. As in upstream, uuids are accepted with or
     * without dashes, braces and the prefix {@code urn:uuid:}.
     */
    private static final Pattern UUID_LIKE = Pattern.compile("[0-9a-fA-F]{32}");

    private static final JsonMetaSchema DRAFT_4 = JsonMetaSchema.builder(JsonMetaSchema.getV4())
            .format(new Format() {
                @Override
                public String getName() {
                    return "uuid";
                }

                @Override
                public boolean matches(ExecutionContext context, String value) {
                    return isUuidLike(value);
                }
            })
            .build();
    private static final JsonSchemaFactory FACTORY = JsonSchemaFactory.builder(
            JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V4))
            .metaSchema(DRAFT_4)
            .defaultMetaSchemaIri(DRAFT_4.getIri())
            .build();
    private static final SchemaValidatorsConfig CONFIG = SchemaValidatorsConfig.builder()
            // Ends at the first violation, the only one that is reported, because a body may contain a million
            // violations.
            .failFast(true)
            // Accepts 16.0 as an integer, as upstream does.
            .losslessNarrowing(true)
            .formatAssertionsEnabled(true)
            .build();
    /** The most characters of a value in a message; a longer value is cut. */
    private static final int SHOWN_MAX = 200;

    private final JsonSchema schema;

    private Schema(JsonSchema schema) {
        this.schema = schema;
    }

    /**
     * Loads a schema.
     *
     * @param name the name of a file in {@code resources/schema}, without {@code .json}
     */
    public static Schema load(String name) {
        String resource = "/schema/" + name + ".json";
        try (InputStream in = Schema.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("no resource " + resource);
            }
            JsonSchema schema =
                    FACTORY.getSchema(new String(in.readAllBytes(), StandardCharsets.UTF_8), InputFormat.JSON, CONFIG);
            // Builds the validators now, so that the first request need not.
            schema.initializeValidators();
            return new Schema(schema);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The schemas of a body or of query parameters, by the microversion from which each is valid. */
    public static final class Versions {
        private final TreeMap<Integer, Schema> byMinor = new TreeMap<>();

        private Versions() {}

        /** Returns the schema that is valid at a microversion, which must be at least the lowest one with a schema. */
        public Schema at(Microversion version) {
            return byMinor.floorEntry(version.minor()).getValue();
        }
    }

    /** Loads the files {@code name-1.minor.json}, each of which is valid from microversion {@code 1.minor} on. */
    public static Versions loadSince(String name, int... minors) {
        Versions versions = new Versions();
        for (int minor : minors) {
            versions.byMinor.put(minor, load(name + "-1." + minor));
        }
        return versions;
    }

    /** Returns whether upstream would accept the text as a uuid. */
    public static boolean isUuidLike(String text) {
        return UUID_LIKE.matcher(uuidDigits(text)).matches();
    }

    /**
     * Returns the text without {@code urn:}, {@code uuid:}, dashes and outer braces, which upstream also removes before
     * it checks a uuid, in the same order.
     */
    public static String uuidDigits(String text) {
        String bare = text.replace("urn:", "").replace("uuid:", "").replace("-", "");
        int start = 0;
        int end = bare.length();
        while (start < end && (bare.charAt(start) == '{' || bare.charAt(start) == '}')) {
            start++;
        }
        while (end > start && (bare.charAt(end - 1) == '{' || bare.charAt(end - 1) == '}')) {
            end--;
        }
        return bare.substring(start, end);
    }

    /**
     * Parses a body and validates it.
     *
     * @throws ApiException 400 if the body is not JSON or violates the schema
     */
    public JsonNode parse(byte[] body) {
        JsonNode tree = Json.parse(body);
        check(tree, "JSON does not validate: ");
        return tree;
    }

    /**
     * Validates query parameters. Of a repeated parameter, only the last value is validated.
     *
     * @throws ApiException 400 if the parameters violate the schema
     */
    public void checkQuery(Map<String, List<String>> query) {
        ObjectNode last = Json.object();
        query.forEach((name, values) -> last.put(name, values.getLast()));
        check(last, "Invalid query string parameters: ");
    }

    private void check(JsonNode tree, String prefix) {
        Set<ValidationMessage> violations = schema.validate(tree);
        if (!violations.isEmpty()) {
            throw ApiException.badRequest(prefix + text(violations.iterator().next()));
        }
    }

    private String text(ValidationMessage message) {
        JsonNode schemaNode = message.getSchemaNode();
        String value = quoted(message.getInstanceNode());
        String limit = schemaNode == null ? "" : quoted(schemaNode);
        String reason = switch (message.getType()) {
            case "required" -> "'" + message.getProperty() + "' is a required property";
            case "additionalProperties" -> unexpected(message);
            case "type" -> value + " is not of type " + limit;
            case "pattern" -> value + " does not match " + limit;
            case "minimum" -> value + " is less than the minimum of " + limit;
            case "maximum" -> value + " is greater than the maximum of " + limit;
            case "maxLength", "maxItems" -> value + " is too long";
            case "minLength", "minItems" -> value + " is too short";
            case "minProperties" -> value + " does not have enough properties";
            case "uniqueItems" -> value + " has non-unique elements";
            case "format" -> value + " is not a " + limit;
            case "enum" -> value + " is not one of " + limit;
            default -> message.getMessage();
        };
        String location = message.getInstanceLocation().toString();
        String position = isRoot(location) ? "" : " (at " + shortened(location) + ")";
        return reason + " Failed validating '" + message.getType() + "' in schema" + rule(message.getEvaluationPath())
                + position;
    }

    /**
     * Returns the path of the violated rule in the schema, such as {@code ['properties']['total']}. Clients evaluate
     * this part of the message.
     */
    private static String rule(JsonNodePath path) {
        var steps = new StringBuilder();
        // The last element of the path is the keyword, which upstream does not include.
        for (int i = 0; i < path.getNameCount() - 1; i++) {
            Object step = path.getElement(i);
            steps.append(step instanceof Integer ? "[" + step + "]" : "['" + step + "']");
        }
        return steps.toString();
    }

    private static boolean isRoot(String location) {
        return location.isEmpty() || location.equals("$");
    }

    /** Returns upstream's text for a member that the schema does not allow. */
    private String unexpected(ValidationMessage message) {
        JsonNode patterns = parentOf(message.getSchemaLocation().getFragment()).path("patternProperties");
        if (patterns.isEmpty()) {
            return "Additional properties are not allowed ('" + shortened(message.getProperty()) + "' was unexpected)";
        }
        TreeSet<String> allowed = new TreeSet<>();
        patterns.fieldNames().forEachRemaining(pattern -> allowed.add("'" + pattern + "'"));
        return "'" + shortened(message.getProperty()) + "' does not match any of the regexes: "
                + String.join(", ", allowed);
    }

    /**
     * Returns the object of the schema that contains the violated keyword.
     *
     * @param rule path of the keyword
     */
    private JsonNode parentOf(JsonNodePath rule) {
        JsonNode part = schema.getSchemaNode();
        for (int i = 0; i < rule.getNameCount() - 1; i++) {
            part = rule.getElement(i) instanceof Integer index ? part.path(index) : part.path(rule.getName(i));
        }
        return part;
    }

    /** Renders a value as upstream does: strings in single quotes. */
    private static String quoted(JsonNode node) {
        if (node == null) {
            return "";
        }
        if (node.isArray()) {
            var items = new StringJoiner(", ", "[", "]");
            node.forEach(item -> items.add(quoted(item)));
            return shortened(items.toString());
        }
        return node.isTextual() ? "'" + shortened(node.textValue()) + "'" : shortened(node.toString());
    }

    private static String shortened(String text) {
        return text == null ? "" : text.length() <= SHOWN_MAX ? text : text.substring(0, SHOWN_MAX) + "...";
    }
}
