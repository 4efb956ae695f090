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
 * The requests that create one provider with its inventories, traits and aggregates. Each is sent after the response to
 * the previous one, from which it takes the generation.
 */
public final class ProviderCreation {
    private static final String KIND = "load";

    private final ProviderSpec spec;
    private final Consumer<Exchange> send;
    private final Runnable then;
    private long generation;

    /**
     * @param send called with each request after {@link #first}, when it is ready to be sent
     * @param then called when the provider is complete
     */
    ProviderCreation(ProviderSpec spec, Consumer<Exchange> send, Runnable then) {
        this.spec = spec;
        this.send = send;
        this.then = then;
    }

    /** Returns the traffic that creates one provider. */
    public static Traffic of(ProviderSpec spec) {
        ArrayDeque<Exchange> ready = new ArrayDeque<>();
        ready.add(new ProviderCreation(spec, ready::add, () -> {}).first());
        return ready::poll;
    }

    Exchange first() {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("uuid", spec.uuid().toString()).put("name", spec.name());
        if (spec.parent() != null) {
            body.put("parent_provider_uuid", spec.parent().toString());
        }
        return Exchange.post(KIND, "/resource_providers", body.toString(), answer -> {
            if (answer.status() != 200) {
                return answer.wrong("creating provider " + spec.name());
            }
            generation = answer.json().path("generation").asLong();
            inventories();
            return Outcome.GOOD;
        });
    }

    private void inventories() {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        ObjectNode inventories = body.putObject("inventories");
        spec.inventories().forEach((resourceClass, stock) -> inventories.putObject(resourceClass)
                .put("total", stock.total())
                .put("reserved", stock.reserved())
                .put("allocation_ratio", stock.allocationRatio()));
        put("/inventories", body, this::traits);
    }

    private void traits() {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        spec.traits().forEach(body.putArray("traits")::add);
        put("/traits", body, spec.aggregates().isEmpty() ? then : this::aggregates);
    }

    private void aggregates() {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        spec.aggregates().forEach(uuid -> body.withArray("aggregates").add(uuid.toString()));
        put("/aggregates", body, then);
    }

    private void put(String what, ObjectNode body, Runnable next) {
        body.put("resource_provider_generation", generation);
        String path = "/resource_providers/" + spec.uuid() + what;
        send.accept(Exchange.put(KIND, path, body.toString(), answer -> onResponse(answer, what, next)));
    }

    private Outcome onResponse(Response answer, String what, Runnable next) {
        if (answer.status() != 200) {
            return answer.wrong("setting " + what.substring(1) + " of " + spec.name());
        }
        generation = answer.json().path("resource_provider_generation").asLong();
        next.run();
        return Outcome.GOOD;
    }
}
