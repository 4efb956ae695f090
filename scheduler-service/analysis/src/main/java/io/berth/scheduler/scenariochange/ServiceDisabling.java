package io.berth.scheduler.scenariochange;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.berth.scheduler.host.registry.ComputeService;
import io.berth.scheduler.host.registry.RecordCollection;
import io.berth.scheduler.json.StrictObject;
import java.util.List;
import java.util.UUID;

/**
 * Disables or enables the services of hosts, and adds or removes the trait {@code COMPUTE_STATUS_DISABLED} of their
 * nodes in placement. A host without a service gets a disabled one if the change disables hosts; if the change enables
 * hosts, only the trait of such a host changes.
 *
 * @param disabled whether the services are disabled; otherwise they are enabled
 * @param path path of this change in the body
 */
record ServiceDisabling(Selector hosts, boolean disabled, String path) implements ScenarioChange {
    @Override
    public void make(ScenarioCloud cloud) {
        List<String> names = cloud.findForChange(hosts).stream().map(SelectedHost::host).toList();
        for (String name : names) {
            cloud.refuseContradiction(path, disabled, "the service of", name);
            if (disabled && cloud.registry().findService(name) == null) {
                UUID uuid = UUID.randomUUID();
                ComputeService service = (ComputeService) RecordCollection.SERVICES.read(
                        uuid, new StrictObject(JsonNodeFactory.instance.objectNode().put("host", name), path));
                cloud.changes.put(RecordCollection.SERVICES, service.up(cloud.registry().asOf()));
            }
        }
        cloud.changes.setOrigin(path).setDisabled(names, disabled, null);
    }
}
