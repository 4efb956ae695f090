package io.berth.scheduler.host.registry;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.json.StrictObject;
import jakarta.annotation.Nullable;
import java.util.Set;

/**
 * Reads names of hosts, nodes, aggregates and cells from request bodies, and interns them, because many records contain
 * the same name. A name has at most {@value #LENGTH_MAX} characters, as in nova; a longer one is refused with 400.
 */
public final class HostNames {
    private static final int LENGTH_MAX = 255;

    private HostNames() {}

    /** Reads a required name of a host, aggregate or cell, and interns it. */
    static String readRequired(StrictObject body, String member) {
        body.find(member, HostNames::checked);
        return interned(body.requiredText(member));
    }

    /** Reads the member {@code hosts}, a list of names; empty if absent. */
    static Set<String> readHosts(StrictObject body) {
        return Set.copyOf(body.list("hosts", (value, path) -> interned(checked(value, path))));
    }

    /**
     * Returns the name from the JVM's string table, so that compute node, service, aggregates and instances share one
     * string. The table does not keep the string alive.
     */
    public static String interned(String name) {
        return name.intern();
    }

    /** Like {@link #interned}; null for null. */
    public static @Nullable String internedOrNull(@Nullable String name) {
        return name == null ? null : interned(name);
    }

    /** Returns the name. Throws ApiFault (400) with the path if the value is no string or too long. */
    static String checked(JsonNode value, String path) {
        String name = StrictObject.TEXT.read(value, path);
        if (name.length() > LENGTH_MAX) {
            throw ApiFault.invalid(path + ": must not be longer than " + LENGTH_MAX + " characters");
        }
        return name;
    }
}
