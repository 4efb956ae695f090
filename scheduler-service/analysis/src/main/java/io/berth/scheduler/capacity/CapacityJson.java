package io.berth.scheduler.capacity;

import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.json.JsonLists;
import io.berth.scheduler.capacity.CapacityBody.By;
import io.berth.scheduler.capacity.Split.Parts;
import io.berth.scheduler.job.AsOf;
import io.berth.scheduler.json.WrittenJson;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;

/** Renders counts as JSON, as {@code POST /v1/capacity} returns them. */
record CapacityJson(CapacityBody body) {
    /** @param tallies one per request, in the order of the requests */
    byte[] render(AsOf asOf, List<Tally> tallies) {
        return WrittenJson.objectBytes(json -> {
            asOf.render(json);
            json.writeBooleanField("complete", tallies.stream().allMatch(Tally::isComplete));
            json.writeFieldName("requests");
            writeRequests(json, tallies);
        });
    }

    /** Writes the value of the member {@code requests}: a list with one object per request. */
    void writeRequests(JsonGenerator json, List<Tally> tallies) throws IOException {
        json.writeStartArray();
        for (int i = 0; i < tallies.size(); i++) {
            json.writeStartObject();
            json.writeStringField("name", body.requests().get(i).name());
            write(json, tallies.get(i));
            writeParts(json, tallies.get(i).parts());
            json.writeEndObject();
        }
        json.writeEndArray();
    }

    /** Writes the members of one count into the open object. */
    static void write(JsonGenerator json, Tally tally) throws IOException {
        json.writeNumberField("count", tally.count());
        json.writeBooleanField("complete", tally.isComplete());
        WrittenJson.writeIfAny(json, "why", tally.whyIncomplete());
        if (tally.isCapped()) {
            json.writeBooleanField("capped", true);
        }
        json.writeStringField("method", tally.isOneByOne() ? "one_by_one" : "each_host");
        WrittenJson.writeIfAny(json, "refused", tally.refusal());
        JsonLists.writeTextsIfAny(json, "warnings", tally.warnings());
        json.writeObjectFieldStart("binding");
        WrittenJson.writeNumbers(json, tally.binding());
        json.writeEndObject();
    }

    private void writeParts(JsonGenerator json, @Nullable Parts parts) throws IOException {
        if (parts == null) {
            return;
        }
        Set<By> by = body.by();
        json.writeObjectFieldStart("by");
        String nextMarker = null;
        for (By each : by) {
            json.writeObjectFieldStart(each.wireName());
            NavigableMap<String, Long> counts = parts.of(each);
            if (each == By.HOST) {
                nextMarker = writePage(json, counts);
            } else {
                WrittenJson.writeNumbers(json, counts);
            }
            json.writeEndObject();
        }
        json.writeEndObject();
        WrittenJson.writeIfAny(json, "next_marker", nextMarker);
    }

    /**
     * Writes one page of the counts by host, as members of the open object. Returns the name of the last written host
     * if there are more hosts, otherwise null.
     */
    private @Nullable String writePage(JsonGenerator json, NavigableMap<String, Long> hosts) throws IOException {
        NavigableMap<String, Long> rest = body.marker() == null ? hosts : hosts.tailMap(body.marker(), false);
        int written = 0;
        for (Map.Entry<String, Long> host : rest.entrySet()) {
            json.writeNumberField(host.getKey(), host.getValue());
            if (++written == body.hostsMax()) {
                return host.getKey().equals(rest.lastKey()) ? null : host.getKey();
            }
        }
        return null;
    }
}
