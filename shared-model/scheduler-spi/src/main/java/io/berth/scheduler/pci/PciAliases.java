package io.berth.scheduler.pci;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.scheduler.text.BooleanText;
import io.berth.scheduler.text.DerivedValue;
import io.berth.scheduler.text.Violations;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The configured PCI aliases by name: the kinds of PCI devices that flavors may request.
 * <br>Option: {@code [pci] alias}, a list of JSON objects, empty by default. Members: {@code name} (required),
 * {@code vendor_id} and {@code product_id} (required; see {@link #parse} for an exception), {@code device_type}, {@code
 * numa_policy}, {@code resource_class}, {@code traits}, {@code capability_type}, {@code live_migratable}. Entries of
 * the same name are alternatives.
 * <br>Source: nova {@code pci/request.py} (_get_alias_from_config).
 */
public record PciAliases(Map<String, PciAlias> byName) {
    public static final PciAliases NONE = new PciAliases(Map.of());

    private static final ObjectMapper JSON = new ObjectMapper();
    /**
     * Maximum length of the option as text, or of all its entries that are texts together, in characters; a longer
     * option is refused. One alias has a few hundred characters.
     */
    private static final int TEXT_MAX = 256 * 1_024;
    private static final Pattern HEX_ID = Pattern.compile("[0-9a-fA-F]{4}");
    private static final Set<String> DEVICE_TYPES = Set.of("type-PCI", "type-PF", "type-VF");
    private static final Set<String> MEMBERS = Set.of(
            "name", "vendor_id", "product_id", "device_type", "numa_policy", "resource_class", "traits",
            "capability_type", "live_migratable");

    public PciAliases {
        byName = Map.copyOf(byName);
    }

    /**
     * Parses the value of the option. The refusal lists the problems of all aliases.
     *
     * @param option a JSON object or a list of objects; each object, and the whole list, may also be a text that
     *         contains JSON. Null is an empty list
     * @param pciInPlacement {@code [filter_scheduler] pci_in_placement}: if true, a resource class may replace the
     *         device ids, and two entries of the same name are refused
     */
    public static DerivedValue<PciAliases> parse(@Nullable JsonNode option, boolean pciInPlacement) {
        var violations = new Violations();
        var aliases = new LinkedHashMap<String, PciAlias>();
        for (JsonNode entry : entries(option, violations)) {
            PciAlias alias = parseAlias(entry, pciInPlacement, violations);
            if (alias == null) {
                continue;
            }
            PciAlias earlier = aliases.get(alias.name());
            aliases.put(alias.name(), earlier == null ? alias : merge(earlier, alias, pciInPlacement, violations));
        }
        return violations.orValue(new PciAliases(aliases));
    }

    private static List<JsonNode> entries(@Nullable JsonNode option, Violations violations) {
        if (option == null || option.isNull() || option.isMissingNode()) {
            return List.of();
        }
        if (option.isTextual() && option.textValue().isBlank()) {
            return List.of();
        }
        if (textLength(option) > TEXT_MAX) {
            violations.add("the PCI aliases have more than " + TEXT_MAX + " characters");
            return List.of();
        }
        var entries = new ArrayList<JsonNode>();
        JsonNode list = parseIfText(option, violations);
        for (JsonNode entry : list.isArray() ? list : List.of(list)) {
            entries.add(parseIfText(entry, violations));
        }
        return entries;
    }

    private static long textLength(JsonNode option) {
        long length = option.asText().length();
        for (JsonNode entry : option) {
            length += entry.asText().length();
        }
        return length;
    }

    /** Returns the node itself, or the JSON in its text. For other text, adds a violation and returns an empty list. */
    private static JsonNode parseIfText(JsonNode node, Violations violations) {
        if (!node.isTextual()) {
            return node;
        }
        try {
            return JSON.readTree(node.textValue());
        } catch (JsonProcessingException notJson) {
            violations.add("a PCI alias is not JSON");
            return JSON.createArrayNode();
        }
    }

    private static @Nullable PciAlias parseAlias(JsonNode entry, boolean pciInPlacement, Violations violations) {
        String name = text(entry, "name").strip();
        if (!entry.isObject() || name.isEmpty()) {
            violations.add("a PCI alias must be an object with a name");
            return null;
        }
        var problems = new ArrayList<String>();
        entry.fieldNames().forEachRemaining(member -> {
            if (!MEMBERS.contains(member)) {
                problems.add("has the unknown member " + member);
            }
        });
        boolean hasIds = entry.has("vendor_id") && entry.has("product_id");
        if (!hasIds && !(pciInPlacement && entry.has("resource_class"))) {
            problems.add(pciInPlacement
                    ? "needs vendor_id and product_id, or resource_class"
                    : "needs vendor_id and product_id");
        }
        var spec = new LinkedHashMap<String, Object>();
        addMember(entry, "vendor_id", "vendor_id", HEX_ID.asMatchPredicate(), spec, problems);
        addMember(entry, "product_id", "product_id", HEX_ID.asMatchPredicate(), spec, problems);
        addMember(entry, "device_type", "dev_type", DEVICE_TYPES::contains, spec, problems);
        addMember(entry, "resource_class", "resource_class", any -> true, spec, problems);
        addMember(entry, "traits", "traits", any -> true, spec, problems);
        addMember(entry, "capability_type", "capability_type", "pci"::equals, spec, problems);
        if (entry.has("live_migratable")) {
            Boolean migratable = BooleanText.find(entry.get("live_migratable").asText());
            if (migratable == null) {
                problems.add("has a live_migratable that is no boolean");
            } else {
                spec.put("live_migratable", migratable.toString());
            }
        }
        PciNumaPolicy policy = entry.has("numa_policy")
                ? PciNumaPolicy.find(text(entry, "numa_policy"))
                : PciNumaPolicy.LEGACY;
        if (policy == null) {
            problems.add("has a numa_policy that is none of required, legacy, preferred and socket");
        }
        problems.forEach(problem -> violations.add("PCI alias " + name + " " + problem));
        return policy == null || !problems.isEmpty() ? null : new PciAlias(name, policy, List.of(spec));
    }

    private static void addMember(
            JsonNode entry,
            String name,
            String specName,
            Predicate<String> valid,
            Map<String, Object> spec,
            List<String> problems) {
        if (!entry.has(name)) {
            return;
        }
        if (!entry.get(name).isTextual() || !valid.test(text(entry, name))) {
            problems.add("has an invalid " + name);
            return;
        }
        spec.put(specName, text(entry, name));
    }

    private static String text(JsonNode entry, String name) {
        return entry.path(name).isTextual() ? entry.get(name).textValue() : "";
    }

    private static PciAlias merge(PciAlias first, PciAlias second, boolean pciInPlacement, Violations violations) {
        if (pciInPlacement) {
            violations.add("PCI alias " + first.name()
                    + " is defined twice; with pci_in_placement, define each alias once, because placement cannot"
                    + " choose between devices");
        }
        boolean isConsistent = first.numaPolicy() == second.numaPolicy()
                && Objects.equals(
                        first.spec().getFirst().get("dev_type"), second.spec().getFirst().get("dev_type"));
        if (!isConsistent) {
            violations.add(
                    "the alternatives of PCI alias " + first.name() + " must have one numa_policy and device_type");
        }
        var spec = new ArrayList<Map<String, ?>>(first.spec());
        spec.addAll(second.spec());
        return new PciAlias(first.name(), first.numaPolicy(), spec);
    }
}
