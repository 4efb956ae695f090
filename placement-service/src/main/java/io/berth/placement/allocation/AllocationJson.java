package io.berth.placement.allocation;

import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.placement.http.Call;
import io.berth.placement.http.Json;
import java.io.IOException;
import java.util.List;
import java.util.UUID;

/** Allocations as JSON, in each microversion's form. */
final class AllocationJson {
    private AllocationJson() {}

    /** By provider; project and user from 1.12, the consumer's generation from 1.28, its type from 1.38. */
    static byte[] render(Call call, AllocationStore.OfConsumer held) {
        return Json.writeObject(json -> {
            json.writeObjectFieldStart("allocations");
            if (held != null) {
                renderHeld(json, held.amounts());
            }
            json.writeEndObject();
            if (held != null && call.atLeast(12)) {
                json.writeStringField("project_id", held.projectId());
                json.writeStringField("user_id", held.userId());
                if (call.atLeast(28)) {
                    json.writeNumberField("consumer_generation", held.generation());
                }
                if (call.atLeast(38)) {
                    json.writeStringField(
                            "consumer_type", held.consumerType() == null ? "unknown" : held.consumerType());
                }
            }
        });
    }

    private static void renderHeld(JsonGenerator json, List<AllocationStore.Held> amounts) throws IOException {
        for (int i = 0; i < amounts.size(); ) {
            var first = amounts.get(i);
            json.writeObjectFieldStart(first.provider().toString());
            json.writeObjectFieldStart("resources");
            for (; i < amounts.size() && amounts.get(i).provider().equals(first.provider()); i++) {
                json.writeNumberField(amounts.get(i).resourceClass(), amounts.get(i).used());
            }
            json.writeEndObject();
            json.writeNumberField("generation", first.providerGeneration());
            json.writeEndObject();
        }
    }

    /** By consumer; its generation from 1.28. */
    static byte[] render(Call call, AllocationStore.OnProvider given) {
        return Json.writeObject(json -> {
            json.writeObjectFieldStart("allocations");
            List<AllocationStore.Given> amounts = given.amounts();
            for (int i = 0; i < amounts.size(); ) {
                UUID consumer = amounts.get(i).consumer();
                int generation = amounts.get(i).consumerGeneration();
                json.writeObjectFieldStart(consumer.toString());
                json.writeObjectFieldStart("resources");
                for (; i < amounts.size() && amounts.get(i).consumer().equals(consumer); i++) {
                    json.writeNumberField(amounts.get(i).resourceClass(), amounts.get(i).used());
                }
                json.writeEndObject();
                if (call.atLeast(28)) {
                    json.writeNumberField("consumer_generation", generation);
                }
                json.writeEndObject();
            }
            json.writeEndObject();
            json.writeNumberField("resource_provider_generation", given.generation());
        });
    }
}
