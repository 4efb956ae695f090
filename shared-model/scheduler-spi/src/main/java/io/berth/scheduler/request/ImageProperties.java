package io.berth.scheduler.request;

import jakarta.annotation.Nullable;
import java.util.Map;

/**
 * The image properties that the scheduler knows, under their current names and in canonical form.
 * <br>Source: nova {@code objects/image_meta.py} (ImageMetaProps).
 *
 * @param values by current name: Boolean, Long, String, {@link VersionPredicate}, or List (of CpuSet for {@code
 *         hw_numa_cpus}, of MiB as Long for {@code hw_numa_mem}, of String for {@code traits_required}). {@code
 *         img_mappings} and {@code img_block_device_mapping} are a List of String, or of the one unparsed value if it
 *         is no list. A property that is not set has no entry
 */
public record ImageProperties(Map<String, Object> values) {
    public static final ImageProperties NONE = new ImageProperties(Map.of());

    public ImageProperties {
        values = Map.copyOf(values);
    }

    /**
     * Parses the unparsed properties of an image: translates legacy names, checks values, and drops unknown properties.
     */
    public static ImageReading read(Map<String, Object> raw) {
        return new ImagePropertyReader(raw).read();
    }

    /** Returns the canonical name of a CPU architecture; null if the name is unknown. */
    public static @Nullable String architecture(String text) {
        return ImagePropertyTypes.architecture(text);
    }

    /** Returns the value of a property of any type; null if it is not set. */
    public @Nullable Object find(String name) {
        return values.get(name);
    }

    /** Returns the value of a property as text; null if it is not set. */
    public @Nullable String text(String name) {
        Object value = values.get(name);
        return value == null ? null : value.toString();
    }

    /** Returns the value of an integer property; null if it is not set, or if the property has another type. */
    public @Nullable Long integer(String name) {
        return values.get(name) instanceof Long number ? number : null;
    }
}
