package io.berth.scheduler.host.registry;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.json.StrictObject;
import jakarta.annotation.Nullable;
import java.util.Set;

/** Names of hosts, which many records have. In bodies no longer than {@value #LENGTH_MAX} characters, as in nova. */
public final class HostNames {
    private static final int LENGTH_MAX = 255;

    private HostNames() {}

    /** A member that must be there, of which there is an index: a name of another kind, too. */
    static String one(StrictObject body, String member) {
        body.find(member, HostNames::checked);
        return shared(body.requiredText(member));
    }

    /** The member {@code hosts}; empty when absent. */
    static Set<String> several(StrictObject body) {
        return Set.copyOf(body.list("hosts", (value, path) -> shared(checked(value, path))));
    }

    /**
     * One text for the compute node, its service, aggregates and instances: in the JVM's own table, which holds nothing
     * alive and lies outside of the heap. Null for null.
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
