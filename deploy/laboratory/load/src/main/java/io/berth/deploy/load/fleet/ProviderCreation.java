package io.berth.deploy.load.fleet;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.load.http.Exchange;
import io.berth.deploy.load.http.Outcome;
import io.berth.deploy.load.http.Response;
import io.berth.deploy.load.http.Traffic;
import java.util.ArrayDeque;
import java.util.function.Consumer;

/**
 * The requests that create one provider with its inventories and traits, and its aggregates if it has any. Each request
 * is sent after the response to the previous request, which contains the generation for the next one.
 */
public final class ProviderCreation {
    private static final String KIND = "load";

    private final ProviderSpec spec;
    private final Consumer<Exchange> sender;
    private final Runnable onComplete;
    private long generation;

    /**
     * @param sender called with each request after {@link #first}, when it is ready to be sent
     * @param onComplete called when the provider is complete; not called if a response was wrong
     */
    ProviderCreation(ProviderSpec spec, Consumer<Exchange> sender, Runnable onComplete) {
        this.spec = spec;
        this.sender = sender;
        this.onComplete = onComplete;
    }

    /** Returns the traffic that creates one provider. */
    public static Traffic of(ProviderSpec spec) {
        ArrayDeque<Exchange> ready = new ArrayDeque<>();
        ready.add(new ProviderCreation(spec, ready::add, () -> {}).first());
        return ready::poll;
    }

    /** Returns the first request, which creates the provider. */
    Exchange first() {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("uuid", spec.uuid().toString()).put("name", spec.name());
        if (spec.parent() != null) {
            body.put("parent_provider_uuid", spec.parent().toString());
        }
        return Exchange.post(KIND, "/resource_providers", body.toString(), response -> {
            if (response.status() != 200) {
                return response.wrong("creating provider " + spec.name());
            }
            generation = response.json().path("generation").asLong();
            putInventories();
            return Outcome.GOOD;
        });
    }

    private void putInventories() {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        ObjectNode inventories = body.putObject("inventories");
        spec.inventories().forEach((resourceClass, stock) -> inventories.putObject(resourceClass)
                .put("total", stock.total())
                .put("reserved", stock.reserved())
                .put("allocation_ratio", stock.allocationRatio()));
        put("/inventories", body, this::putTraits);
    }

    private void putTraits() {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        spec.traits().forEach(body.putArray("traits")::add);
        put("/traits", body, spec.aggregates().isEmpty() ? onComplete : this::putAggregates);
    }

    private void putAggregates() {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        spec.aggregates().forEach(uuid -> body.withArray("aggregates").add(uuid.toString()));
        put("/aggregates", body, onComplete);
    }

    private void put(String part, ObjectNode body, Runnable next) {
        body.put("resource_provider_generation", generation);
        String path = "/resource_providers/" + spec.uuid() + part;
        sender.accept(Exchange.put(KIND, path, body.toString(), response -> onResponse(response, part, next)));
    }

    private Outcome onResponse(Response response, String part, Runnable next) {
        if (response.status() != 200) {
            return response.wrong("setting " + part.substring(1) + " of " + spec.name());
        }
        generation = response.json().path("resource_provider_generation").asLong();
        next.run();
        return Outcome.GOOD;
    }
}
