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
 * Reads nova's options in a request body: the member {@code options} ({@link #read}), or an object at another path
 * ({@link #parse}).
 */
public final class OptionsBody {
    private OptionsBody() {}

    /**
     * Returns the options of the member {@code options}: an object with some of nova's options, or the string
     * {@code configured}. Options that the object omits have nova's defaults. Throws ApiFault (400) with the path of an
     * unknown option, or of an invalid value.
     *
     * @param options value of the member; null if absent
     * @param ifAbsent the result if the member is absent
     * @param configured the options of the running service, the result for the string {@code configured}
     */
    public static Options read(@Nullable JsonNode options, Options ifAbsent, Options configured) {
        if (options == null) {
            return ifAbsent;
        }
        if (options.isTextual() && options.textValue().equals("configured")) {
            return configured;
        }
        if (!options.isObject()) {
            throw ApiFault.invalid("$.options: must be an object, or the string configured");
        }
        return parse(options, "$.options", object -> Options.parse(OptionSource.ofJson(object)));
    }

    /**
     * Returns the options that {@code parse} makes of an object. Throws ApiFault (400) with the path of an unknown
     * option, or of an invalid value.
     *
     * @param options an object whose members are the options of {@code filter_scheduler}, and for each other group one
     *     object with the options of this group
     * @param path JSON path of the object, for errors
     * @param parse converts the object; may throw OptionInvalid
     */
    public static Options parse(JsonNode options, String path, Function<JsonNode, Options> parse) {
        refuseUnknown(options, path);
        try {
            return parse.apply(options);
        } catch (OptionInvalid invalid) {
            String optionGroup = invalid.group();
            String prefix = optionGroup == null || optionGroup.equals("filter_scheduler") ? "" : optionGroup + ".";
            throw ApiFault.invalid("%s.%s%s: %s".formatted(path, prefix, invalid.option(), invalid.getMessage()));
        }
    }

    private static void refuseUnknown(JsonNode options, String path) {
        Map<String, Set<String>> optionsByGroup = OptionNames.byGroup();
        for (Map.Entry<String, JsonNode> member : options.properties()) {
            Set<String> groupOptions = optionsByGroup.get(member.getKey());
            if (groupOptions == null || member.getKey().equals("filter_scheduler")) {
                if (!Maps.require(optionsByGroup, "filter_scheduler").contains(member.getKey())) {
                    throw ApiFault.invalid("%s.%s: unknown option".formatted(path, member.getKey()));
                }
                continue;
            }
            if (!member.getValue().isObject()) {
                throw ApiFault.invalid("%s.%s: must be an object".formatted(path, member.getKey()));
            }
            member.getValue().fieldNames().forEachRemaining(name -> {
                if (!groupOptions.contains(name)) {
                    throw ApiFault.invalid("%s.%s.%s: unknown option".formatted(path, member.getKey(), name));
                }
            });
        }
    }
}
