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
 * Parses JSON embedded as text in other data. The parser of the enclosing data counts such text as one value, so this
 * class applies limits of its own.
 */
final class HostJson {
    /** Limits names, values and brackets; a libvirt host's {@code cpu_info} has some two hundred. */
    private static final int TOKENS_MAX = 10_000;
    private static final int DEPTH_MAX = 100;
    private static final JsonMapper JSON = JsonMapper.builder(JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxTokenCount(TOKENS_MAX).maxNestingDepth(DEPTH_MAX).build())
            .build())
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private HostJson() {}

    /** Returns null if the text is not JSON or exceeds the limits. */
    static @Nullable JsonNode parse(String text) {
        try {
            JsonNode node = JSON.readTree(text);
            return node == null || node.isMissingNode() ? null : node;
        } catch (JsonProcessingException notJson) {
            return null;
        }
    }
}
