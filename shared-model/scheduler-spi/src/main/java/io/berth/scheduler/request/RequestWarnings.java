package io.berth.scheduler.request;

import io.berth.model.StandardResourceClasses;
import io.berth.model.text.NearNames;
import io.berth.scheduler.text.IntegerText;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds extra specs and image properties that have no effect, although their author probably expects one: misspelled
 * keys of nova, extra specs without a prefix that no enabled filter reads, and invalid traits, resources and group
 * policies. Nova and Berth ignore all of these; Berth adds a warning. An unknown key with a prefix gets no warning,
 * unless the key or the prefix looks like a misspelling of one of nova's.
 */
public final class RequestWarnings {
    /** Maximum number of warnings for a request; further ones are omitted. */
    private static final int WARNINGS_MAX = 20;
    /**
     * Maximum number of unknown keys and prefixes of a request that are compared with all known ones, to bound the
     * time; further ones get no suggestion and no warning of a misspelling.
     */
    private static final int COMPARISONS_MAX = 100;
    private static final Pattern GROUP_KEY = Pattern.compile("(resources|trait)[a-zA-Z0-9_-]{0,64}:(.*)");
    private static final Pattern NUMBERED_CELL_KEY = Pattern.compile("(hw[:_]numa_(?:cpus|mem))\\.[0-9]+");
    /** Prefixes of nova's extra specs; an unknown prefix is compared with these. */
    private static final Set<String> NOVA_NAMESPACES = Set.of(
            "accel", "aggregate_instance_extra_specs", "capabilities", "hw", "hw_rng", "hw_video", "os",
            "pci_passthrough", "powervm", "quota", "resources", "trait", "trust", "vmware");

    private final List<String> warnings = new ArrayList<>();
    private int comparisonCount;

    private final Predicate<String> isReadByFilter;

    private RequestWarnings(Predicate<String> isRead) {
        this.isReadByFilter = isRead;
    }

    /**
     * Returns the warnings in the order of the request, at most {@value #WARNINGS_MAX}.
     *
     * @param isRead tests whether an enabled filter may read an extra spec without a prefix
     */
    public static List<String> of(RequestSpec spec, Predicate<String> isRead) {
        RequestWarnings collector = new RequestWarnings(isRead);
        spec.flavor().extraSpecs().forEach(collector::checkExtraSpec);
        if (spec.image() != null) {
            spec.image().properties().forEach(collector::checkImageProperty);
        }
        return collector.warnings.size() <= WARNINGS_MAX
                ? collector.warnings
                : collector.warnings.subList(0, WARNINGS_MAX);
    }

    private void checkExtraSpec(String key, String value) {
        if (ExtraSpecNames.KNOWN.contains(key)) {
            if (key.equals("group_policy") && !value.equals("none") && !value.equals("isolate")) {
                warnings.add("extra spec group_policy has no effect: its value must be none or isolate, not " + value);
            }
            return;
        }
        Matcher group = GROUP_KEY.matcher(key);
        if (!group.matches()) {
            checkUnknownKey(key);
        } else if (group.group(1).equals("trait")) {
            if (!value.equals("required") && !value.equals("forbidden")) {
                warnings.add("extra spec %s has no effect: its value must be required or forbidden, not %s"
                        .formatted(key, value));
            }
        } else {
            checkResources(key, group.group(2), value);
        }
    }

    private void checkResources(String key, String resourceClass, String value) {
        Long amount = IntegerText.parse(value);
        if (!resourceClass.startsWith("CUSTOM_") && !StandardResourceClasses.NAMES.contains(resourceClass)) {
            warnings.add("extra spec %s has no effect: %s is no resource class%s"
                    .formatted(key, resourceClass, NearNames.hint(resourceClass, StandardResourceClasses.NAMES)));
        } else if (amount == null || amount < 0) {
            warnings.add("extra spec %s has no effect: its value must be a whole number, at least 0, not %s"
                    .formatted(key, value));
        }
    }

    private void checkUnknownKey(String key) {
        int colon = key.indexOf(':');
        String namespace = colon < 0 ? "" : key.substring(0, colon);
        if (ExtraSpecNames.FREE_NAMESPACES.contains(namespace) || NUMBERED_CELL_KEY.matcher(key).matches()) {
            return;
        }
        if (colon < 0 && isReadByFilter.test(key) || addIfSimilar("extra spec", key, key, ExtraSpecNames.KNOWN)) {
            return;
        }
        if (colon < 0) {
            warnings.add("extra spec %s is not known and has no effect: no filter that is enabled reads it"
                    .formatted(key));
        } else if (colon > 0 && !NOVA_NAMESPACES.contains(namespace)) {
            addIfSimilar("extra spec", key, namespace, NOVA_NAMESPACES);
        }
    }

    private void checkImageProperty(String name, Object value) {
        if (name.startsWith("trait:")) {
            if (!"required".equals(value)) {
                warnings.add("image property %s has no effect: its value must be required, not %s"
                        .formatted(name, value));
            }
        } else if (!ImagePropertyTypes.isKnown(name) && !NUMBERED_CELL_KEY.matcher(name).matches()) {
            addIfSimilar("image property", name, name, ImagePropertyTypes.names());
        }
    }

    /** Adds a warning if a known name is similar to the unknown one. Returns whether a warning was added. */
    private boolean addIfSimilar(String what, String key, String name, Set<String> known) {
        String suggestion = ++comparisonCount > COMPARISONS_MAX ? "" : NearNames.hint(name, known);
        if (!suggestion.isEmpty()) {
            warnings.add("%s %s is not known and has no effect%s".formatted(what, key, suggestion));
        }
        return !suggestion.isEmpty();
    }
}
