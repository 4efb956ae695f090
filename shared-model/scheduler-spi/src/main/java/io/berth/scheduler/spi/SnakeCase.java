package io.berth.scheduler.spi;

import java.util.Locale;

/** Caches the names of classes in the style of Python's functions; each is derived once. */
final class SnakeCase extends ClassValue<String> {
    static final SnakeCase NAMES = new SnakeCase();

    @Override
    protected String computeValue(Class<?> type) {
        return type.getSimpleName().replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
    }
}
