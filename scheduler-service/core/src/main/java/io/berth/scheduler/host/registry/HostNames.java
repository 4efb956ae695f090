package io.berth.scheduler.host.registry;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.json.StrictObject;
import jakarta.annotation.Nullable;
import java.util.Set;

/**
 * Reads names of hosts, which many records contain. In bodies they have at most {@value #LENGTH_MAX} characters, as
 * in nova.
 */
public final class HostNames {
    private static final int LENGTH_MAX = 255;

    private HostNames() {}

    /**
     * Reads a required name, checks its length, and returns the shared string. Also reads names of aggregates and
     * cells.
     */
    static String one(StrictObject body, String member) {
        body.find(member, HostNames::checked);
        return shared(body.requiredText(member));
    }

    /** Reads the member {@code hosts}; empty if absent. */
    static Set<String> several(StrictObject body) {
        return Set.copyOf(body.list("hosts", (value, path) -> shared(checked(value, path))));
    }

    /**
     * Returns one shared string for the compute node, its service, aggregates and instances, from the JVM's string
     * table, which does not keep it alive. Null for null.
     */
    public static @Nullable String shared(@Nullable String name) {
        return name == null ? null : name.intern();
    }

    static String checked(JsonNode value, String path) {
        String name = StrictObject.TEXT.read(value, path);
        if (name.length() > LENGTH_MAX) {
            throw ApiFault.invalid(path + ": must not be longer than " + LENGTH_MAX + " characters");
        }
        return name;
    }
}
