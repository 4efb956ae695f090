package io.berth.deploy.cloud;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The settings of one cloud, by their names in clouds.yaml; those below {@code auth} are merged with the rest. Empty
 * values count as missing.
 *
 * @param origin of the settings, for messages
 */
record CloudSettings(String origin, Map<String, String> values) {
    private static final String VARIABLE = "OS_";
    private static final String ENVIRONMENT = "OS_* variables";

    CloudSettings {
        values = new HashMap<>(values);
        values.values().removeIf(String::isEmpty);
        values = Map.copyOf(values);
    }

    /** Reads OS_AUTH_URL as auth_url, and so on. */
    static CloudSettings ofEnvironment(Map<String, String> environment) {
        Map<String, String> values = new HashMap<>();
        environment.forEach((name, value) -> {
            if (name.startsWith(VARIABLE)) {
                values.put(name.substring(VARIABLE.length()).toLowerCase(Locale.ROOT), value);
            }
        });
        return new CloudSettings(ENVIRONMENT, values);
    }

    /** Returns the value of the first of these names that is set; null for none. */
    String find(String... names) {
        for (String name : names) {
            if (values.containsKey(name)) {
                return values.get(name);
            }
        }
        return null;
    }

    /** @throws IllegalArgumentException with one line for the user */
    String require(String... names) {
        String value = find(names);
        if (value == null) {
            String variable = origin.equals(ENVIRONMENT) || names[0].equals("password")
                    ? "OS_" + names[0].toUpperCase(Locale.ROOT) + ", or "
                    : "";
            throw new IllegalArgumentException("%s is missing: set %s%s in clouds.yaml (%s)".formatted(
                    names[0], variable, names[0], origin));
        }
        return value;
    }

    /** Returns the origin only, so that passwords stay out of messages. */
    @Override
    public String toString() {
        return origin;
    }
}
