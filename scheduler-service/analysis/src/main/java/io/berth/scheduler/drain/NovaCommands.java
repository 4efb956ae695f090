package io.berth.scheduler.drain;

import jakarta.annotation.Nullable;
import java.util.UUID;
import java.util.regex.Pattern;

/** Prints the commands with which an operator does in nova what a drain asks for; one line of a POSIX shell each. */
final class NovaCommands {
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_./:@%+=][A-Za-z0-9_./:@%+=-]*");

    private NovaCommands() {}

    /** @param host the destination; null: nova chooses one */
    static String migrate(UUID instance, @Nullable String host) {
        return host == null
                ? "openstack server migrate --live-migration " + instance
                // Nova takes the host of a live migration since this microversion.
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

    private static String quoted(String text) {
        return PLAIN.matcher(text).matches() ? text : "'" + text.replace("'", "'\\''") + "'";
    }
}
