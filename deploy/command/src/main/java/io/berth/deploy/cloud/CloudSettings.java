package io.berth.deploy.cloud;

import jakarta.annotation.Nullable;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The settings of one cloud, by their names in clouds.yaml. The map has both the settings below {@code auth} and the
 * settings of the cloud itself. Empty values are removed.
 *
 * @param origin the file and cloud, or the variables, that the settings come from; for messages
 */
record CloudSettings(String origin, Map<String, String> values) {
    private static final String PREFIX = "OS_";
    private static final String ENVIRONMENT = "OS_* variables";

    CloudSettings {
        values = new HashMap<>(values);
        values.values().removeIf(String::isEmpty);
        values = Map.copyOf(values);
    }

    /** Reads every variable OS_NAME as the setting {@code name}: OS_AUTH_URL is auth_url. */
    static CloudSettings ofEnvironment(Map<String, String> environment) {
        Map<String, String> values = new HashMap<>();
        environment.forEach((name, value) -> {
            if (name.startsWith(PREFIX)) {
                values.put(name.substring(PREFIX.length()).toLowerCase(Locale.ROOT), value);
            }
        });
        return new CloudSettings(ENVIRONMENT, values);
    }

    /** Returns the value of the first of these settings that is set; null if none is. */
    @Nullable String find(String... names) {
        for (String name : names) {
            if (values.containsKey(name)) {
                return values.get(name);
            }
        }
        return null;
    }

    /**
     * Returns the value of the first of these settings that is set.
     *
     * @throws IllegalArgumentException if none is set, with one line for the user that names the first setting
     */
    String require(String... names) {
        String value = find(names);
        if (value == null) {
            // Beside clouds.yaml, the only variable with a part of the login is OS_PASSWORD.
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
