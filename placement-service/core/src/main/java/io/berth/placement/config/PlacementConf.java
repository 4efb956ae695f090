package io.berth.placement.config;

import io.berth.model.conf.OsloConf;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The supported options of an operator's {@code placement.conf}. If an option is set twice, the last value counts; an
 * empty value counts as not set.
 *
 * @param values the values by option, in the spelling of Berth's own configuration
 * @param ignoredCount number of options that Berth does not support
 * @param unusable one line for each option with an invalid value; if the file cannot be read, one line with the reason
 */
record PlacementConf(Map<PlacementOption, String> values, int ignoredCount, List<String> unusable) {
    /** The configuration key for the path of the file. */
    static final String PATH_KEY = "berth.placement-conf";

    /** Reads the file. If the file cannot be read, the result has no values. */
    static PlacementConf read(String path) {
        try {
            return parse(OsloConf.read(Path.of(path.strip())));
        } catch (IOException e) {
            return new PlacementConf(Map.of(), 0, List.of("cannot read the file: " + e));
        }
    }

    /** Parses the supported options, and counts the others. */
    static PlacementConf parse(OsloConf conf) {
        Map<PlacementOption, String> values = new LinkedHashMap<>();
        List<String> unusable = new ArrayList<>();
        int ignored = 0;
        for (var group : conf.groups().entrySet()) {
            for (var statements : group.getValue().entrySet()) {
                PlacementOption option = PlacementOption.find(group.getKey(), statements.getKey());
                String text = statements.getValue().getLast();
                if (option == null) {
                    ignored++;
                } else if (!text.isEmpty()) {
                    String value = option.parse(text);
                    if (value == null) {
                        unusable.add(option.label() + " = " + text + ": must be " + option.describeKind());
                    } else {
                        values.put(option, value);
                    }
                }
            }
        }
        return new PlacementConf(values, ignored, List.copyOf(unusable));
    }
}
