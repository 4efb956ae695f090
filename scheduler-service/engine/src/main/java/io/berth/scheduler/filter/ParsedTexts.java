package io.berth.scheduler.filter;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.host.HostState;
import jakarta.annotation.Nullable;
import java.util.HashMap;
import java.util.Map;

/** Caches the parsed JSON texts of the hosts of one round: hosts of one model share their texts. */
final class ParsedTexts {
    /** Limits the texts kept; further ones are parsed each time. */
    private static final int KEPT_MAX = 64;

    private final Map<String, JsonNode> parsed = new HashMap<>();

    /** Returns null if the text is not JSON. */
    @Nullable JsonNode parse(String text) {
        JsonNode known = parsed.get(text);
        if (known != null) {
            return known;
        }
        JsonNode node = HostJson.parse(text);
        if (node != null && parsed.size() < KEPT_MAX) {
            parsed.put(text, node);
        }
        return node;
    }

    /** Returns the bits under {@code maxphysaddr} in {@code cpu_info}; null if it has none. */
    @Nullable Long physicalAddressBits(HostState host) {
        JsonNode info = host.cpuInfo();
        if (info != null && info.isTextual()) {
            info = parse(info.textValue());
        }
        JsonNode bits = info == null ? null : info.path("maxphysaddr").path("bits");
        return bits != null && bits.isNumber() ? Long.valueOf(bits.longValue()) : null;
    }
}
