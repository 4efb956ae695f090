package io.berth.scheduler.filter;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.host.HostState;
import jakarta.annotation.Nullable;
import java.util.HashMap;
import java.util.Map;

/** JSON texts of the hosts of one round: hosts of one model have the same ones, which are parsed once. */
final class ParsedTexts {
    /** Kinds of hosts; the texts of others are parsed each time. */
    private static final int KEPT_MAX = 64;

    private final Map<String, JsonNode> parsed = new HashMap<>();

    /** Returns null if the text is no JSON. */
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

    /** What {@code cpu_info} says under maxphysaddr; null if it does not. */
    @Nullable Long physicalAddressBits(HostState host) {
        JsonNode info = host.cpuInfo();
        if (info != null && info.isTextual()) {
            info = parse(info.textValue());
        }
        JsonNode bits = info == null ? null : info.path("maxphysaddr").path("bits");
        return bits != null && bits.isNumber() ? Long.valueOf(bits.longValue()) : null;
    }
}
