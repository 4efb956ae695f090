package io.berth.scheduler.filter;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.berth.scheduler.host.HostState;
import jakarta.annotation.Nullable;

/** JSON that comes as text inside of other data. */
final class HostJson {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private HostJson() {}

    /** Null if the text is no JSON. */
    static @Nullable JsonNode parse(String text) {
        try {
            JsonNode node = JSON.readTree(text);
            return node == null || node.isMissingNode() ? null : node;
        } catch (JsonProcessingException notJson) {
            return null;
        }
    }

    /** What {@code cpu_info} says under maxphysaddr; null if it does not. */
    static @Nullable Long physicalAddressBits(HostState host) {
        JsonNode info = host.cpuInfo();
        if (info != null && info.isTextual()) {
            info = parse(info.textValue());
        }
        JsonNode bits = info == null ? null : info.path("maxphysaddr").path("bits");
        return bits != null && bits.isNumber() ? Long.valueOf(bits.longValue()) : null;
    }
}
