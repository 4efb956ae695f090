package io.berth.scheduler.request;

import jakarta.annotation.Nullable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The image of a requested instance.
 *
 * @param id id in the image service; null if unknown
 * @param name null if unknown
 * @param diskFormat name of the disk format in the image service, such as qcow2; null if unknown
 * @param properties the image's unparsed properties in the image service, including those with legacy and unknown names
 */
public record Image(
        @Nullable String id, @Nullable String name, @Nullable String diskFormat, Map<String, Object> properties) {
    public Image {
        properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
    }
}
