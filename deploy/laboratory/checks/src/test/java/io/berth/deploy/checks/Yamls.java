package io.berth.deploy.checks;

import java.util.List;
import java.util.Map;

/** Reads values of a YAML document by path. */
public final class Yamls {
    private Yamls() {}

    @SuppressWarnings("unchecked")
    public static Map<String, Object> map(Object value) {
        return value == null ? Map.of() : (Map<String, Object>) value;
    }

    /** Returns an empty list if the value is absent. */
    public static List<Map<String, Object>> maps(Object value) {
        return value == null ? List.of() : ((List<?>) value).stream().map(Yamls::map).toList();
    }

    /** Returns null if a step is absent; steps are keys or indexes of lists. */
    public static Object at(Object value, Object... path) {
        Object here = value;
        for (Object step : path) {
            here = switch (step) {
                case Integer index -> here instanceof List<?> list && index < list.size() ? list.get(index) : null;
                default -> here instanceof Map<?, ?> map ? map.get(step) : null;
            };
        }
        return here;
    }
}
