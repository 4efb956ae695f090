package io.berth.scheduler.host.registry;

import io.berth.scheduler.config.InventoryOptions;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.json.StrictObject;
import jakarta.annotation.Nullable;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/**
 * The part of a compute node's report that describes its resource provider in placement.
 *
 * @param inventories inventory by resource class; null if the report omits them
 * @param traits traits of the provider; null if the report omits them
 * @param allocationRatios the report's {@code cpu_allocation_ratio}, {@code ram_allocation_ratio} and
 *     {@code disk_allocation_ratio} by resource class; classes without a ratio are missing
 */
public record ProviderReport(
        @Nullable Map<String, ReportedInventory> inventories,
        @Nullable Set<String> traits,
        Map<String, Double> allocationRatios) {
    /** Members of the report that have the ratios, by resource class. */
    private static final Map<String, String> RATIO_MEMBERS = Map.of(
            "VCPU", "cpu_allocation_ratio", "MEMORY_MB", "ram_allocation_ratio", "DISK_GB", "disk_allocation_ratio");
    private static final Pattern NAME = Pattern.compile("[A-Z0-9_]{1,255}");

    /** Returns this part of a report; null if the report has neither inventories nor traits. */
    static @Nullable ProviderReport read(StrictObject body) {
        body.anyObject("inventories").fieldNames()
                .forEachRemaining(name -> refuseInvalidName(name, "$.inventories." + name));
        Map<String, ReportedInventory> inventories =
                body.find("inventories", StrictObject.mapOf(StrictObject.objectOf(ReportedInventory::read)));
        Set<String> traits = body.anyValue("traits") == null ? null : traits(body);
        if (inventories == null && traits == null) {
            return null;
        }
        Map<String, Double> ratios = new LinkedHashMap<>();
        RATIO_MEMBERS.forEach((resourceClass, member) -> {
            Double ratio = ReportedInventory.ratio(body, member);
            if (ratio != null) {
                ratios.put(resourceClass, ratio);
            }
        });
        return new ProviderReport(
                inventories == null ? null : Collections.unmodifiableMap(inventories), traits, Map.copyOf(ratios));
    }

    /** Returns the inventory of a resource class; null if the report omits the class. */
    @Nullable ReportedInventory inventory(String resourceClass) {
        return inventories == null ? null : inventories.get(resourceClass);
    }

    /** Returns the ratio of the class's inventory, or else of the node's report; null if neither has a ratio. */
    public @Nullable Double allocationRatio(String resourceClass) {
        ReportedInventory inventory = inventory(resourceClass);
        return inventory != null && inventory.allocationRatio() != null
                ? inventory.allocationRatio()
                : allocationRatios.get(resourceClass);
    }

    /** Returns the report with reserved amounts from the options where it omits them. */
    ProviderReport withReservedFrom(InventoryOptions options) {
        return changeInventories(copy -> copy.replaceAll((resourceClass, reported) -> reported.reserved() != null
                ? reported
                : reported.with(null, options.reserved(resourceClass))));
    }

    /** Returns the report with another inventory of a class; unchanged if the report omits all inventories. */
    ProviderReport with(String resourceClass, ReportedInventory inventory) {
        return changeInventories(copy -> copy.put(resourceClass, inventory));
    }

    private ProviderReport changeInventories(Consumer<Map<String, ReportedInventory>> change) {
        if (inventories == null) {
            return this;
        }
        Map<String, ReportedInventory> changed = new LinkedHashMap<>(inventories);
        change.accept(changed);
        return new ProviderReport(Collections.unmodifiableMap(changed), traits, allocationRatios);
    }

    private static Set<String> traits(StrictObject body) {
        Set<String> traits = new TreeSet<>(body.texts("traits"));
        traits.forEach(trait -> refuseInvalidName(trait, "$.traits"));
        return Collections.unmodifiableSet(traits);
    }

    /** Throws ApiFault (400) for a name that placement does not accept for a resource class or trait. */
    private static void refuseInvalidName(String name, String path) {
        if (!NAME.matcher(name).matches()) {
            throw ApiFault.invalid(path + ": a name must be 1 to 255 characters of A to Z, 0 to 9 and _");
        }
    }
}
