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
 * Requests the usages of providers, and judges each response: the usage must be the expected one of {@link
 * ExpectedUsage}, and within the capacity.
 */
public final class Audit implements Traffic {
    private final Iterator<ProviderSpec> providers;
    private final ExpectedUsage expectedUsage;

    public Audit(Collection<ProviderSpec> providers, ExpectedUsage expectedUsage) {
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
                answer -> answer.status() == 200 ? compare(provider, answer) : answer.wrong("GET " + path));
    }

    private Outcome compare(ProviderSpec provider, Response answer) {
        JsonNode usages = answer.json().path("usages");
        for (Map.Entry<String, ProviderSpec.Stock> stock : provider.inventories().entrySet()) {
            String resourceClass = stock.getKey();
            long said = usages.path(resourceClass).asLong(-1);
            long expected = expectedUsage.used(provider.uuid(), resourceClass);
            if (said != expected) {
                return new Outcome.Wrong("%s of %s: %d used by its usages, %d by the answers to claims"
                        .formatted(resourceClass, provider.name(), said, expected));
            }
            if (said > stock.getValue().capacity()) {
                return new Outcome.Wrong("%s of %s: %d used of %d"
                        .formatted(resourceClass, provider.name(), said, stock.getValue().capacity()));
            }
        }
        return Outcome.GOOD;
    }
}
