package io.berth.scheduler.drain;

import jakarta.annotation.Nullable;
import java.util.UUID;
import java.util.regex.Pattern;

/** Renders the commands with which an operator carries out a drain in nova. Each is one line for a POSIX shell. */
final class NovaCommands {
    /** Matches an argument that a shell does not change, and that does not look like an option. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:@%+=][A-Za-z0-9_./:@%+=-]*");

    private NovaCommands() {}

    /**
     * Returns the command that migrates an instance live.
     *
     * @param host the destination; null: nova chooses one
     */
    static String migrate(UUID instance, @Nullable String host) {
        return host == null
                ? "openstack server migrate --live-migration " + instance
                // nova accepts the host of a live migration since microversion 2.30.
                : "openstack --os-compute-api-version 2.30 server migrate --live-migration --host %s %s"
                        .formatted(quoted(host), instance);
    }

    static String disable(String host, String reason) {
        return "openstack compute service set --disable --disable-reason %s %s nova-compute"
                .formatted(quoted(reason), quoted(host));
    }

    static String enable(String host) {
        return "openstack compute service set --enable %s nova-compute".formatted(quoted(host));
    }

    /** Quotes an argument for a POSIX shell, if a shell could change it. */
    private static String quoted(String text) {
        return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
