package io.berth.scheduler.request.query;

import io.berth.scheduler.numa.FlavorAndImage;
import io.berth.scheduler.text.BooleanText;
import io.berth.scheduler.text.DerivedValue;

/**
 * Reads properties that a flavor ({@code hw:x}) and an image ({@code hw_x}) may both state. If the flavor and the image
 * state different values, the result is a refusal.
 */
public final class FlavorImageProperty {
    private FlavorImageProperty() {}

    /**
     * Returns the text that flavor or image state; a null value if neither states it.
     *
     * @param name of the property without its prefix
     */
    public static DerivedValue<String> text(FlavorAndImage source, String name) {
        return text(source, "hw:" + name, "hw_" + name);
    }

    static DerivedValue<String> text(FlavorAndImage source, String flavorKey, String imageName) {
        String flavor = source.flavor(flavorKey);
        String image = source.image(imageName);
        if (flavor != null && image != null && !flavor.equals(image)) {
            return conflict(flavorKey, imageName);
        }
        return new DerivedValue.Value<>(flavor != null ? flavor : image);
    }

    /**
     * Returns the flag that flavor or image state; false if neither states it. Different texts for the same flag, such
     * as {@code true} and {@code 1}, are no conflict.
     *
     * @param name of the property without its prefix
     */
    public static DerivedValue<Boolean> flag(FlavorAndImage source, String name) {
        String flavor = source.flavor("hw:" + name);
        String image = source.image("hw_" + name);
        if (flavor != null && image != null && BooleanText.isTrue(flavor) != BooleanText.isTrue(image)) {
            return conflict("hw:" + name, "hw_" + name);
        }
        return new DerivedValue.Value<>(BooleanText.isTrue(flavor) || BooleanText.isTrue(image));
    }

    static boolean imageFlag(FlavorAndImage source, String name) {
        return BooleanText.isTrue(source.image(name));
    }

    private static <T> DerivedValue<T> conflict(String flavorKey, String imageName) {
        return new DerivedValue.Refused<>(flavorKey + " of the flavor contradicts " + imageName + " of the image");
    }
}
