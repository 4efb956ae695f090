package io.berth.scheduler.scenariochange;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.http.ApiFault;
import java.util.List;
import java.util.UUID;

/**
 * Changes an inventory or traits of hosts in placement. An inventory changes at every provider of the hosts' trees that
 * has an inventory of the class. Traits are added to the root providers, and removed from all providers of the trees.
 * Ignores hosts without a resource provider; if none of the hosts has one, the change is refused (400).
 *
 * @param kind the change's name in {@code POST /berth/v1/what_if}: {@code inventory} or {@code traits}
 * @param settings members of the change in {@code POST /berth/v1/what_if}, without the member {@code trees}
 * @param path path of this change in the body
 */
record PlacementDataChange(String kind, Selector hosts, ObjectNode settings, String path) implements ScenarioChange {
    @Override
    public void make(ScenarioCloud cloud) {
        List<UUID> trees = cloud.findForChange(hosts).stream().flatMap(host -> host.providers().stream()).toList();
        if (trees.isEmpty()) {
            throw ApiFault.invalid(hosts.path() + ": none of the hosts has a resource provider");
        }
        // Adapts the reports of the compute nodes to a changed inventory; does nothing for traits.
        trees.forEach(tree -> cloud.changes.adaptReport(tree, settings));
        cloud.changes.setOrigin(path).fleet(kind, trees, settings);
    }
}
