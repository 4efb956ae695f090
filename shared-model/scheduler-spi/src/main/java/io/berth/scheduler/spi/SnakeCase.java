package io.berth.scheduler.spi;

import java.util.Locale;

/** A cache of the simple names of classes in snake case. */
final class SnakeCase extends ClassValue<String> {
    static final SnakeCase NAMES = new SnakeCase();

    @Override
    protected String computeValue(Class<?> type) {
        return type.getSimpleName().replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
    }
}
