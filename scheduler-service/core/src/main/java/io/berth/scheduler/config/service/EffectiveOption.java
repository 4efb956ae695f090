package io.berth.scheduler.config.service;

import jakarta.annotation.Nullable;

/**
 * One option as it counts in the running service.
 *
 * @param group nova's name of the group; {@code berth} for options that nova does not have
 * @param name nova's name
 * @param key configuration key that sets it
 * @param value a number, boolean, text, list of texts or JSON; null: none. A secret is three stars
 * @param source who stated it
 */
public record EffectiveOption(String group, String name, String key, @Nullable Object value, Source source) {
    /** Who stated the value of an option. */
    public enum Source {
        /** Nobody. */
        DEFAULT("default"),
        /** A Berth key: environment, system property or configuration file. */
        BERTH("berth"),
        /** The operator's own file at {@code berth.nova-conf}. */
        NOVA_CONF("nova.conf");

        private final String wireName;

        Source(String wireName) {
            this.wireName = wireName;
        }

        public String wireName() {
            return wireName;
        }
    }
}
