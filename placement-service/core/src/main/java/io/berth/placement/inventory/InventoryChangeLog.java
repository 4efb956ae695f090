package io.berth.placement.inventory;

import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Inventory;
import io.berth.placement.fleet.NameCatalogue;
import io.berth.placement.fleet.Provider;
import io.berth.placement.http.Call;
import io.berth.placement.provider.ProviderChangeLog;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Logs and stores the changes that callers make to a provider's inventories, one entry for each resource class whose
 * inventory is not the same as before ({@link ProviderChangeLog}).
 */
@Singleton
public final class InventoryChangeLog {
    private final ProviderChangeLog log;

    InventoryChangeLog(ProviderChangeLog log) {
        this.log = log;
    }

    /**
     * Logs the replacement of all inventories of a provider.
     *
     * @param provider the state of the provider before the change, from {@code view}
     * @param now all inventories of the provider after the change, by resource class
     */
    public void logReplacement(Call call, FleetView view, Provider provider, Map<String, Inventory> now) {
        Set<String> names = new TreeSet<>(now.keySet());
        // The view has no name for a resource class that was created after the view.
        Arrays.stream(provider.inventories().classIds()).mapToObj(view.resourceClasses()::find)
                .filter(entry -> entry != null).forEach(entry -> names.add(entry.name()));
        names.forEach(name -> logChange(call, view, provider, name, now.get(name)));
    }

    /**
     * Logs the change of one inventory. The provider is as in {@link #logReplacement}.
     *
     * @param now the inventory after the change; null if it was deleted
     */
    void logChange(Call call, FleetView view, Provider provider, String resourceClass, @Nullable Inventory now) {
        NameCatalogue.Entry entry = view.resourceClasses().find(resourceClass);
        int position = entry == null ? -1 : provider.inventories().find(entry.id());
        log.logChange(
                call, "inventory " + resourceClass, provider,
                position < 0 ? null : InventoryJson.text(provider.inventories().get(position)),
                now == null ? null : InventoryJson.text(now));
    }
}
