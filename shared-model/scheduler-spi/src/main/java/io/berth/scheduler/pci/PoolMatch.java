package io.berth.scheduler.pci;

import jakarta.annotation.Nullable;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Compares the devices of a pool with the description in a request. Text is compared ignoring case; a list is satisfied
 * by a list that contains all of it; a member that the pool lacks equals only null.
 * <br>Source: nova {@code pci/utils.py} (pci_device_prop_match).
 */
final class PoolMatch {
    /** Members that are meant for placement, not for pools. */
    private static final Set<String> IGNORED = Set.of("resource_class", "traits", "rp_uuids");

    private PoolMatch() {}

    /** Returns whether the pool matches any alternative; without alternatives it does not match. */
    static boolean matchesAny(PciPool pool, List<Map<String, ?>> spec) {
        return spec.stream().anyMatch(alternative -> matches(pool, alternative));
    }

    private static boolean matches(PciPool pool, Map<String, ?> alternative) {
        for (Map.Entry<String, ?> wanted : alternative.entrySet()) {
            if (!IGNORED.contains(wanted.getKey()) && !equal(wanted.getValue(), pool.member(wanted.getKey()))) {
                return false;
            }
        }
        return true;
    }

    private static boolean equal(@Nullable Object wanted, @Nullable Object offered) {
        if (wanted instanceof Collection<?> all && offered instanceof Collection<?> some) {
            return some.containsAll(all);
        }
        if (wanted instanceof String text && offered instanceof String other) {
            return text.toLowerCase(Locale.ROOT).equals(other.toLowerCase(Locale.ROOT));
        }
        if (wanted instanceof Number number && offered instanceof Number other) {
            return number.doubleValue() == other.doubleValue();
        }
        return Objects.equals(wanted, offered);
    }
}
