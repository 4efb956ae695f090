package io.berth.scheduler.host.registry;

import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.json.StrictObject;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Names of hosts in bodies: keys of tables, so no longer than {@value #LENGTH_MAX} characters, as in nova. */
final class HostNames {
    private static final int LENGTH_MAX = 255;

    private HostNames() {}

    /** The member {@code host}, which must be there. */
    static String one(StrictObject body) {
        return checked(body.requiredText("host"), "$.host");
    }

    /** The member {@code hosts}; empty when absent. */
    static Set<String> several(StrictObject body) {
        List<String> names = body.texts("hosts");
        Set<String> hosts = new LinkedHashSet<>();
        for (int i = 0; i < names.size(); i++) {
            hosts.add(checked(names.get(i), "$.hosts[" + i + "]"));
        }
        return hosts;
    }

    private static String checked(String name, String path) {
        if (name.length() > LENGTH_MAX) {
            throw ApiFault.invalid(path + ": must not be longer than " + LENGTH_MAX + " characters");
        }
        return name;
    }
}
