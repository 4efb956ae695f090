package io.berth.scheduler.config.service;

import jakarta.annotation.Nullable;

/**
 * One option with its effective value in the running service.
 *
 * @param group nova's name of the option group; {@code berth} for options that nova does not have
 * @param name nova's name of the option, or Berth's
 * @param key configuration key that sets the option
 * @param value a number, boolean, text, list of texts or JSON; null if unset and without a default. A secret's value
 *     is replaced by three stars
 * @param source the configuration source of the value
 */
public record EffectiveOption(String group, String name, String key, @Nullable Object value, Source source) {
    /** The source of an option's value. */
    public enum Source {
        /** No source sets the option. */
        DEFAULT("default"),
        /** A Berth key: environment, system property or configuration file. */
        BERTH("berth"),
        /** The {@code nova.conf} at {@code berth.nova-conf}. */
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
