package io.berth.scheduler.pci;

import jakarta.annotation.Nullable;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Compares the attributes of a pool with a request's spec. The case of texts is ignored, except in lists. A requested
 * list matches a pool's list that contains all of its items. An attribute that the pool lacks matches only null.
 * <br>Source: nova {@code pci/utils.py} (pci_device_prop_match).
 */
final class PoolMatch {
    /** The attributes of a spec that concern placement and are not compared with pools. */
    private static final Set<String> IGNORED = Set.of("resource_class", "traits", "rp_uuids");

    private PoolMatch() {}

    /** Returns whether the pool matches at least one of the alternatives. */
    static boolean matchesAny(PciPool pool, List<Map<String, ?>> spec) {
        return spec.stream().anyMatch(alternative -> matches(pool, alternative));
    }

    private static boolean matches(PciPool pool, Map<String, ?> alternative) {
        for (Map.Entry<String, ?> attribute : alternative.entrySet()) {
            if (!IGNORED.contains(attribute.getKey())
                    && !valueMatches(attribute.getValue(), pool.member(attribute.getKey()))) {
                return false;
            }
        }
        return true;
    }

    private static boolean valueMatches(@Nullable Object requested, @Nullable Object offered) {
        if (requested instanceof Collection<?> requestedItems && offered instanceof Collection<?> offeredItems) {
            return offeredItems.containsAll(requestedItems);
        }
        if (requested instanceof String text && offered instanceof String other) {
            return text.toLowerCase(Locale.ROOT).equals(other.toLowerCase(Locale.ROOT));
        }
        if (requested instanceof Number number && offered instanceof Number other) {
            return number.doubleValue() == other.doubleValue();
        }
        return Objects.equals(requested, offered);
    }
}
