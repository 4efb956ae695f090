package io.berth.scheduler.filter;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.host.HostState;
import jakarta.annotation.Nullable;
import java.util.HashMap;
import java.util.Map;

/**
 * A cache of the JSON that hosts report as text, such as {@code cpu_info}. Hosts with the same hardware often report
 * equal texts. Used within one round, by one thread.
 */
final class ParsedTexts {
    /** Maximum number of cached texts; further ones are parsed each time. */
    private static final int KEPT_MAX = 64;

    private final Map<String, JsonNode> parsed = new HashMap<>();

    /** Returns the JSON; null if the text is not JSON or exceeds the limits of {@link HostJson}. */
    @Nullable JsonNode parse(String text) {
        JsonNode cached = parsed.get(text);
        if (cached != null) {
            return cached;
        }
        JsonNode node = HostJson.parse(text);
        if (node != null && parsed.size() < KEPT_MAX) {
            parsed.put(text, node);
        }
        return node;
    }

    /** Returns {@code maxphysaddr.bits} of the host's {@code cpu_info}; null if it is absent or not a number. */
    @Nullable Long physicalAddressBits(HostState host) {
        JsonNode info = host.cpuInfo();
        if (info != null && info.isTextual()) {
            info = parse(info.textValue());
        }
        JsonNode bits = info == null ? null : info.path("maxphysaddr").path("bits");
        return bits != null && bits.isNumber() ? Long.valueOf(bits.longValue()) : null;
    }
}
