package io.berth.placement.allocation;

import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.placement.allocation.AllocationStore.Allocated;
import io.berth.placement.allocation.AllocationStore.OfConsumer;
import io.berth.placement.http.Call;
import io.berth.placement.http.Json;
import io.berth.placement.http.LongBody;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;

/** Renders allocations as JSON, in the form of the request's microversion. */
final class AllocationJson {
    /** The number of bytes of JSON before the first allocation. */
    private static final int PREFIX_BYTES = "{\"allocations\":{".length();
    /** The least number of amounts in a chunk, except in the last chunk. */
    private static final int CHUNK_AMOUNTS_MIN = 400;

    private AllocationJson() {}

    /**
     * Renders the allocations of a consumer, keyed by provider uuid. Adds project and user from 1.12, the consumer's
     * generation from 1.28, and the consumer's type from 1.38.
     *
     * @param holder null if the consumer holds nothing; {@code amounts} is then empty, and the result has no other
     *         members
     */
    static byte[] render(Call call, @Nullable OfConsumer holder, List<Allocated> amounts) {
        return Json.writeObject(json -> {
            write(json, amounts, "generation");
            if (holder != null && call.atLeast(12)) {
                json.writeStringField("project_id", holder.projectId());
                json.writeStringField("user_id", holder.userId());
                if (call.atLeast(28)) {
                    json.writeNumberField("consumer_generation", holder.generation());
                }
                if (call.atLeast(38)) {
                    json.writeStringField(
                            "consumer_type",
                            holder.consumerType() == null ? AllocationBody.UNKNOWN_TYPE : holder.consumerType());
                }
            }
        });
    }

    /** Renders the allocations on a provider, keyed by consumer uuid. Adds each consumer's generation from 1.28. */
    static byte[] render(Call call, int providerGeneration, List<Allocated> amounts) {
        return Json.writeObject(json -> {
            write(json, amounts, call.atLeast(28) ? "consumer_generation" : null);
            json.writeNumberField("resource_provider_generation", providerGeneration);
        });
    }

    /**
     * Renders a list of at least one amount in chunks of about 50 KB.
     *
     * @param render renders a sublist as a complete response body
     */
    static Iterator<byte[]> parts(List<Allocated> amounts, Function<List<Allocated>, byte[]> render) {
        return LongBody.chunksOf(amounts, PREFIX_BYTES, from -> chunkEnd(amounts, from), render);
    }

    /**
     * Returns the index after the chunk that begins at {@code from}. All amounts of one consumer (or one provider) are
     * in the same chunk, because they share one JSON key.
     */
    private static int chunkEnd(List<Allocated> amounts, int from) {
        int end = Math.min(from + CHUNK_AMOUNTS_MIN, amounts.size());
        while (end < amounts.size() && amounts.get(end).other().equals(amounts.get(end - 1).other())) {
            end++;
        }
        return end;
    }

    /** @param generationName name of the JSON member for the generation; null if the response has no such member */
    private static void write(JsonGenerator json, List<Allocated> amounts, @Nullable String generationName)
            throws IOException {
        json.writeObjectFieldStart("allocations");
        for (int i = 0; i < amounts.size();) {
            Allocated first = amounts.get(i);
            json.writeObjectFieldStart(first.other().toString());
            json.writeObjectFieldStart("resources");
            for (; i < amounts.size() && amounts.get(i).other().equals(first.other()); i++) {
                json.writeNumberField(amounts.get(i).resourceClass(), amounts.get(i).used());
            }
            json.writeEndObject();
            if (generationName != null) {
                json.writeNumberField(generationName, first.otherGeneration());
            }
            json.writeEndObject();
        }
        json.writeEndObject();
    }
}
