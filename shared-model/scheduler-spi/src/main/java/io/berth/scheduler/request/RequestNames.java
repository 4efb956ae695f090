package io.berth.scheduler.request;

import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The names of a request's instance, project and user, for display. No decision depends on them. A name is null if it
 * is unknown.
 *
 * @param instance the instance's name; in a request for several instances, the name without the number that {@link
 *         #ofInstances} appends
 */
public record RequestNames(@Nullable String instance, @Nullable String project, @Nullable String user) {
    public static final RequestNames NONE = new RequestNames(null, null, null);

    /**
     * Returns the names of the request's instances in order. A single instance has the name itself; as in nova, several
     * instances are {@code web-1}, {@code web-2} and so on. Each name is null if the name is unknown.
     */
    public List<String> ofInstances(int count) {
        if (instance == null || count == 1) {
            return Collections.nCopies(count, instance);
        }
        List<String> names = new ArrayList<>(count);
        for (int number = 1; number <= count; number++) {
            names.add(instance + "-" + number);
        }
        return names;
    }
}
