package io.berth.deploy.cloud;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * What is said of one cloud, by the names that clouds.yaml has for it; what stands below {@code auth} there is not told
 * apart from the rest. Empty texts count as not said.
 *
 * @param origin for messages: where it is said
 */
record CloudSettings(String origin, Map<String, String> values) {
    private static final String VARIABLE = "OS_";
    private static final String ENVIRONMENT = "OS_* variables";

    CloudSettings {
        values = new HashMap<>(values);
        values.values().removeIf(String::isEmpty);
        values = Map.copyOf(values);
    }

    /** OS_AUTH_URL is auth_url, and so on. */
    static CloudSettings ofEnvironment(Map<String, String> environment) {
        Map<String, String> values = new HashMap<>();
        environment.forEach((name, value) -> {
            if (name.startsWith(VARIABLE)) {
                values.put(name.substring(VARIABLE.length()).toLowerCase(Locale.ROOT), value);
            }
        });
        return new CloudSettings(ENVIRONMENT, values);
    }

    /** The first of these names that is said; null for none. */
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

    /** Passwords stay out of messages. */
    @Override
    public String toString() {
        return origin;
    }
}
