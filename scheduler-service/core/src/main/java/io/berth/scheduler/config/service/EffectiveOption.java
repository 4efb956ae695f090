package io.berth.scheduler.config.service;

import jakarta.annotation.Nullable;

/**
 * One option with its effective value in the running service.
 *
 * @param group nova's name of the group; {@code berth} for options that nova does not have
 * @param name nova's name
 * @param key configuration key that sets it
 * @param value a number, boolean, text, list of texts or JSON; null: none. A secret is three stars
 * @param source where the value comes from
 */
public record EffectiveOption(String group, String name, String key, @Nullable Object value, Source source) {
    /** The source of an option's value. */
    public enum Source {
        /** The value is the default. */
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
