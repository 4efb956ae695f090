package io.berth.scheduler.request;

import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The names of a request's instance, project and user, which people read; no decision depends on them.
 *
 * @param instance the instance's name; in a request for several instances, each has this name with its number, see
 *         {@link #ofInstances}
 */
public record RequestNames(@Nullable String instance, @Nullable String project, @Nullable String user) {
    public static final RequestNames NONE = new RequestNames(null, null, null);

    /**
     * Returns the names of the request's instances, in order, as nova does: {@code web-1}, {@code web-2}. Each is null
     * if the request has no name.
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
