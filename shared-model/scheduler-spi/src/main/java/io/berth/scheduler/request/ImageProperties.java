package io.berth.scheduler.request;

import jakarta.annotation.Nullable;
import java.util.Map;

/**
 * The image properties that the scheduler knows, in canonical form.
 *
 * @param values by current name: Boolean, Long, String, {@link VersionPredicate}, or List (of CpuSet for {@code
 *         hw_numa_cpus}, of Long for {@code hw_numa_mem}, of String for {@code traits_required}); a property that is
 *         not set is missing
 *  <br>Source: nova {@code objects/image_meta.py} (ImageMetaProps).
 */
public record ImageProperties(Map<String, Object> values) {
    public static final ImageProperties NONE = new ImageProperties(Map.of());

    public ImageProperties {
        values = Map.copyOf(values);
    }

    /** Reads raw properties: translates legacy names and drops unknown ones. */
    public static ImageReading read(Map<String, Object> raw) {
        return new ImagePropertyReader(raw).read();
    }

    /** Returns the canonical spelling of a CPU architecture; null if the name is unknown. */
    public static @Nullable String architecture(String text) {
        return ImagePropertyTypes.architecture(text);
    }

    /** Returns null if not set. */
    public @Nullable Object find(String name) {
        return values.get(name);
    }

    /** Returns null if not set. */
    public @Nullable String text(String name) {
        Object value = values.get(name);
        return value == null ? null : value.toString();
    }

    /** Returns null if not set. */
    public @Nullable Long integer(String name) {
        return values.get(name) instanceof Long number ? number : null;
    }
}
