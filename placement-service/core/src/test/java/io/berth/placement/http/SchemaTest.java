package io.berth.placement.http;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the messages for bodies that do not match their schema. They are those of OpenStack's Placement 8.0.0. */
class SchemaTest {
    private static final String PROVIDER = "11111111-1111-4111-8111-111111111111";

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "allocations-put-1.38 | {'P': {'resources': {'vcpu': 1}}} | 'vcpu' does not match any of the regexes:"
                + " '^[A-Z0-9_]+$'",
        "allocations-put-1.38 | {'zz': {'resources': {'VCPU': 1}}} | 'zz' does not match any of the regexes:"
                + " '^[0-9a-fA-F-]{36}$'",
        "allocations-put-1.38 | {'P': {'resources': {'VCPU': 1}, 'zip': 1}} | Additional properties are not allowed"
                + " ('zip' was unexpected)",
        "allocations-put-1.8  | [{'resource_provider': {'uuid': 'P'}, 'resources': {'vcpu': 1}}] | 'vcpu' does not"
                + " match any of the regexes: '^[A-Z0-9_]+$'"})
    void reportsThePatternsThatANameMustMatch(String schema, String allocations, String text) {
        String rest = schema.endsWith("1.8") ? "" : ", \"consumer_generation\": null, \"consumer_type\": \"INSTANCE\"";
        String body = "{\"allocations\": " + allocations.replace('\'', '"').replace("P\"", PROVIDER + "\"")
                + ", \"project_id\": \"p\", \"user_id\": \"u\"" + rest + "}";
        assertThatThrownBy(() -> Schema.load(schema).parse(body.getBytes(StandardCharsets.UTF_8)))
                .hasMessageContaining("JSON does not validate: " + text + " Failed validating 'additionalProperties'");
    }

    @Test
    void reportsThePatternsOfTopLevelNames() {
        byte[] body = "{\"zz\": {}}".getBytes(StandardCharsets.UTF_8);
        assertThatThrownBy(() -> Schema.load("allocations-post-1.38").parse(body))
                .hasMessageContaining("'zz' does not match any of the regexes: '^[0-9a-fA-F-]{36}$'");
    }
}
