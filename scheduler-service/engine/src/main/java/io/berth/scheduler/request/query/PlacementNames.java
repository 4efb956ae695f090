package io.berth.scheduler.request.query;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Derives names of traits and resource classes from text in operators' options and flavors.
 * <br>Source: {@code os_traits}, {@code os_resource_classes} (normalize_name).
 */
final class PlacementNames {
    private static final Pattern NOT_IN_A_NAME = Pattern.compile("[^0-9A-Za-z]+");
    private static final String CUSTOM = "CUSTOM_";

    private PlacementNames() {}

    /**
     * Returns the text in upper case, with each run of characters other than letters and digits replaced by an
     * underscore.
     */
    static String normalized(String text) {
        return NOT_IN_A_NAME.matcher(text).replaceAll("_").toUpperCase(Locale.ROOT);
    }

    /**
     * Returns the normalized name if it is a standard name or begins with CUSTOM_; otherwise the normalized name with
     * this prefix.
     */
    static String orCustom(String text, Set<String> standard) {
        String name = normalized(text);
        return standard.contains(name) || name.startsWith(CUSTOM) ? name : CUSTOM + name;
    }
}
