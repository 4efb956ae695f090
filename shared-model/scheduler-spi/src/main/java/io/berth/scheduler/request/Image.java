package io.berth.scheduler.request;

import jakarta.annotation.Nullable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The image of a requested instance.
 *
 * @param diskFormat as the image service names it, for example qcow2
 * @param properties raw, as the image service has them, under legacy and unknown names too
 */
public record Image(
        @Nullable String id, @Nullable String name, @Nullable String diskFormat, Map<String, Object> properties) {
    public Image {
        properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
    }
}
