package io.berth.scheduler.request;

import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What people call instance, project and user of a request; no decision depends on it.
 *
 * @param instance of a request for several instances each has its number behind this name, see {@link #ofInstances}
 */
public record RequestNames(@Nullable String instance, @Nullable String project, @Nullable String user) {
    public static final RequestNames NONE = new RequestNames(null, null, null);

    /** The names of so many instances, in their order: {@code web-1}, {@code web-2}, as nova names them; null without a name. */
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
