package io.berth.identity.option;

import io.quarkus.runtime.configuration.ConfigurationException;
import io.smallrye.config.ConfigSourceInterceptor;
import io.smallrye.config.ConfigSourceInterceptorContext;
import io.smallrye.config.ConfigValue;
import jakarta.annotation.Nullable;
import jakarta.annotation.Priority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads secrets from files. For example, {@code berth.placement-token-file} (BERTH_PLACEMENT_TOKEN_FILE) names the file
 * with the value of {@code berth.placement-token}, so that no secret is in the environment of a process. Setting both
 * keys is an error. Each file is read once. Trailing line breaks are not part of the value.
 *
 * <p>This class is an interceptor and not a configuration source, because the source of the datasources' options is
 * built from these keys, and a source does not see the values of another source.
 */
@Priority(SecretFiles.INSIDE_EXPRESSIONS)
public final class SecretFiles implements ConfigSourceInterceptor {
    static final String SUFFIX = "-file";
    /**
     * The priority of this interceptor, below the priority of SmallRye's expressions (1,300), so that expressions get
     * the values from files.
     */
    static final int INSIDE_EXPRESSIONS = 1_100;
    private static final long serialVersionUID = 1;

    /** The keys of secrets of both services, which {@link KnownKeys#secretKeys} returns for either service. */
    private final transient Set<String> secretKeys = Set.copyOf(KnownKeys.of("placement").secretKeys());
    private final transient Map<String, String> valueByKey = new ConcurrentHashMap<>();

    @Override
    public @Nullable ConfigValue getValue(ConfigSourceInterceptorContext context, String name) {
        ConfigValue value = context.proceed(name);
        if (!secretKeys.contains(name)) {
            return value;
        }
        ConfigValue file = context.proceed(name + SUFFIX);
        if (!isSet(file)) {
            return value;
        }
        if (isSet(value)) {
            throw new ConfigurationException("both %s and %s are set: leave one of them out"
                    .formatted(UnknownKeys.variableName(name), UnknownKeys.variableName(name + SUFFIX)));
        }
        return file.withName(name)
                .withValue(valueByKey.computeIfAbsent(name, each -> read(each, file.getValue().strip())));
    }

    /** Returns whether an operator has set the value. Sources of defaults have ordinals below zero. */
    private static boolean isSet(@Nullable ConfigValue value) {
        return value != null && value.getValue() != null && !value.getValue().isBlank()
                && value.getConfigSourceOrdinal() > 0;
    }

    private static String read(String key, String file) {
        String name = UnknownKeys.variableName(key + SUFFIX) + " (" + file + ")";
        try {
            String value = Files.readString(Path.of(file)).replaceFirst("[\\r\\n]+$", "");
            if (value.isBlank()) {
                throw new ConfigurationException(name + " is empty");
            }
            // Escapes the dollar sign, which would begin an expression.
            return value.replace("$", "$$");
        } catch (IOException e) {
            throw new ConfigurationException(name + " cannot be read: " + e);
        }
    }
}
