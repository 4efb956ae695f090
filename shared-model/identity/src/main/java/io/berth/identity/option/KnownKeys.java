package io.berth.identity.option;

import io.berth.model.text.NearNames;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The configuration keys {@code berth.*} of one service, and the keys that only the other service reads. Pure, except
 * that it loads the list of keys.
 */
final class KnownKeys {
    /**
     * The resource with the list. Each line has a reader ({@code placement}, {@code scheduler} or {@code both}), a key,
     * and {@code secret} if the value may be in a file. A key that ends in a star is a prefix, which other code checks.
     * Blank lines and lines that begin with # are ignored.
     */
    private static final String LIST = "/berth-keys.txt";
    private static final String PREFIX = "berth.";
    private static final String VARIABLE_PREFIX = "BERTH_";

    private final String service;
    /** The keys that this service reads, by the environment variable that sets the key. */
    private final Map<String, String> ownKeys = new TreeMap<>();
    /** The keys that only the other service reads, by environment variable. */
    private final Map<String, String> otherServiceKeys = new TreeMap<>();
    private final List<String> secretKeys = new ArrayList<>();
    /**
     * Prefixes of keys that other code checks, so that this class accepts every key that begins with one. For each
     * prefix of keys, the list also has the prefix of the corresponding environment variables.
     */
    private final List<String> acceptedPrefixes = new ArrayList<>();

    private KnownKeys(String service, Stream<String> lines) {
        this.service = service;
        lines.filter(line -> !line.isBlank() && !line.startsWith("#")).map(line -> line.split(" ")).forEach(line -> {
            String reader = line[0];
            String key = line[1];
            if (key.endsWith("*")) {
                String prefix = key.substring(0, key.length() - 1);
                acceptedPrefixes.addAll(List.of(prefix, UnknownKeys.variableName(prefix)));
                return;
            }
            Map<String, String> keys = reader.equals("both") || reader.equals(service) ? ownKeys : otherServiceKeys;
            keys.put(UnknownKeys.variableName(key), key);
            if (line.length > 2) {
                secretKeys.add(key);
                keys.put(UnknownKeys.variableName(key + SecretFiles.SUFFIX), key + SecretFiles.SUFFIX);
            }
        });
    }

    /**
     * Loads the keys for a service.
     *
     * @param service placement or scheduler
     */
    static KnownKeys of(String service) {
        try (InputStream in = KnownKeys.class.getResourceAsStream(LIST)) {
            return new KnownKeys(service, new String(in.readAllBytes(), StandardCharsets.UTF_8).lines());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the keys of secrets of both services. */
    List<String> secretKeys() {
        return secretKeys;
    }

    /**
     * Checks a key of a configuration file or of {@code -D}. Returns the reason for its refusal; empty if a service
     * reads the key, if other code checks it ({@link #acceptedPrefixes}), or if it does not begin with {@code berth.}.
     */
    Optional<String> refusalOfKey(String key) {
        if (!key.startsWith(PREFIX) || ownKeys.containsValue(key) || otherServiceKeys.containsValue(key)
                || hasAcceptedPrefix(key)) {
            return Optional.empty();
        }
        return Optional.of(refusal(key, NearNames.nearest(key, ownKeys.values())));
    }

    /**
     * Checks an environment variable like {@link #refusalOfKey}. Scripts and container platforms set variables of
     * similar names, so an unknown variable is refused only if {@link NearNames} finds one of this service with almost
     * the same name.
     */
    Optional<String> refusalOfVariable(String name) {
        return isUnknownVariable(name)
                ? NearNames.of(name, ownKeys.keySet()).stream().findFirst()
                        .map(near -> refusal(name, Optional.of(near)))
                : Optional.empty();
    }

    /** Returns whether the variable begins with {@code BERTH_}, no service reads it and no other code checks it. */
    boolean isUnknownVariable(String name) {
        return name.startsWith(VARIABLE_PREFIX)
                && !ownKeys.containsKey(name) && !otherServiceKeys.containsKey(name) && !hasAcceptedPrefix(name);
    }

    /** Returns whether the key or environment variable begins with a prefix of {@link #acceptedPrefixes}. */
    private boolean hasAcceptedPrefix(String name) {
        return acceptedPrefixes.stream().anyMatch(name::startsWith);
    }

    private String refusal(String name, Optional<String> suggestion) {
        return name + " is not an option of " + service + "-service"
                + suggestion.map(near -> ": did you mean " + near + "?").orElse("");
    }
}
