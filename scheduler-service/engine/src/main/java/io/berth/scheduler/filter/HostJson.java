package io.berth.scheduler.filter;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import jakarta.annotation.Nullable;

/**
 * Parses JSON that is a text within other data, such as {@code cpu_info} of a host. The limits of the parser of the
 * enclosing data do not apply within a text, so this class has its own limits.
 */
final class HostJson {
    /**
     * Maximum number of tokens, that is, names, values and brackets. The {@code cpu_info} of a libvirt host has about
     * two hundred.
     */
    private static final int TOKENS_MAX = 10_000;
    /** Maximum depth of nesting. */
    private static final int DEPTH_MAX = 100;
    private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxTokenCount(TOKENS_MAX).maxNestingDepth(DEPTH_MAX).build())
            .build())
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private HostJson() {}

    /** Returns the JSON; null if the text is empty, is not JSON, or exceeds a limit. */
    static @Nullable JsonNode parse(String text) {
        try {
            JsonNode node = JSON.readTree(text);
            return node == null || node.isMissingNode() ? null : node;
        } catch (JsonProcessingException notJson) {
            return null;
        }
    }
}
