package io.berth.deploy.load.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.deploy.load.http.Exchange;
import io.berth.deploy.load.http.Outcome;
import io.berth.deploy.load.http.Response;
import io.berth.deploy.load.http.Traffic;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;

/**
 * Requests the usages of providers, and judges each response: for each resource class of the provider's inventories,
 * the usage must be equal to {@link ExpectedUsage#used}, and must not exceed the capacity.
 */
public final class UsageCheck implements Traffic {
    private final Iterator<ProviderSpec> providers;
    private final ExpectedUsage expectedUsage;

    public UsageCheck(Collection<ProviderSpec> providers, ExpectedUsage expectedUsage) {
        this.providers = providers.iterator();
        this.expectedUsage = expectedUsage;
    }

    @Override
    public Exchange next() {
        if (!providers.hasNext()) {
            return null;
        }
        ProviderSpec provider = providers.next();
        String path = "/resource_providers/" + provider.uuid() + "/usages";
        return Exchange.get("audit", path,
                response -> response.status() == 200 ? compare(provider, response) : response.wrong("GET " + path));
    }

    private Outcome compare(ProviderSpec provider, Response response) {
        JsonNode usages = response.json().path("usages");
        for (Map.Entry<String, ProviderSpec.Stock> inventory : provider.inventories().entrySet()) {
            String resourceClass = inventory.getKey();
            long used = usages.path(resourceClass).asLong(-1);
            long expected = expectedUsage.used(provider.uuid(), resourceClass);
            if (used != expected) {
                return new Outcome.Wrong(("%s of %s: %d used as placement reports it, %d expected from the responses to"
                        + " claims").formatted(resourceClass, provider.name(), used, expected));
            }
            if (used > inventory.getValue().capacity()) {
                return new Outcome.Wrong("%s of %s: %d used of %d"
                        .formatted(resourceClass, provider.name(), used, inventory.getValue().capacity()));
            }
        }
        return Outcome.GOOD;
    }
}
