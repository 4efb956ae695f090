package io.berth.scheduler.body;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.model.Maps;
import io.berth.scheduler.config.OptionInvalid;
import io.berth.scheduler.config.OptionNames;
import io.berth.scheduler.config.OptionSource;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.http.ApiFault;
import jakarta.annotation.Nullable;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads the member {@code options} of a request body: an object with some of nova's options, where the others have
 * nova's defaults, or the string {@code configured}, which means the options of the running service.
 */
public final class OptionsBody {
    private OptionsBody() {}

    /**
     * Throws ApiFault (400) with the path of an unknown option, or of an invalid value.
     *
     * @param stated the member; null if absent
     * @param absent the result if the member is absent
     * @param configured the options of the running service, the result for the string {@code configured}
     */
    public static Options read(@Nullable JsonNode stated, Options absent, Options configured) {
        if (stated == null) {
            return absent;
        }
        if (stated.isTextual() && stated.textValue().equals("configured")) {
            return configured;
        }
        if (!stated.isObject()) {
            throw ApiFault.invalid("$.options: must be an object, or the string configured");
        }
        return parse(stated, "$.options", object -> Options.parse(OptionSource.ofJson(object)));
    }

    /**
     * Throws ApiFault (400) with the path of an unknown option, or of an invalid value.
     *
     * @param stated an object; options of {@code filter_scheduler} may be direct members
     * @param path JSON path of the object, for errors
     * @param parse converts the object; may throw OptionInvalid
     */
    public static Options parse(JsonNode stated, String path, Function<JsonNode, Options> parse) {
        refuseUnknown(stated, path);
        try {
            return parse.apply(stated);
        } catch (OptionInvalid invalid) {
            String named = invalid.group();
            String group = named == null || named.equals("filter_scheduler") ? "" : named + ".";
            throw ApiFault.invalid("%s.%s%s: %s".formatted(path, group, invalid.option(), invalid.getMessage()));
        }
    }

    private static void refuseUnknown(JsonNode stated, String path) {
        Map<String, Set<String>> known = OptionNames.byGroup();
        for (Map.Entry<String, JsonNode> member : stated.properties()) {
            Set<String> inGroup = known.get(member.getKey());
            if (inGroup == null || member.getKey().equals("filter_scheduler")) {
                if (!Maps.require(known, "filter_scheduler").contains(member.getKey())) {
                    throw ApiFault.invalid("%s.%s: unknown option".formatted(path, member.getKey()));
                }
                continue;
            }
            if (!member.getValue().isObject()) {
                throw ApiFault.invalid("%s.%s: must be an object".formatted(path, member.getKey()));
            }
            member.getValue().fieldNames().forEachRemaining(name -> {
                if (!inGroup.contains(name)) {
                    throw ApiFault.invalid("%s.%s.%s: unknown option".formatted(path, member.getKey(), name));
                }
            });
        }
    }
}
