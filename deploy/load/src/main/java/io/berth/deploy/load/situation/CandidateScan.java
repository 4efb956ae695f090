package io.berth.deploy.load.situation;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Looks into answers of {@code GET /allocation_candidates} without making a tree of hundreds of kilobytes. */
final class CandidateScan {
    private static final JsonFactory JSON = new JsonFactory();
    private static final byte[] ALLOCATIONS = "\"allocations\"".getBytes(StandardCharsets.US_ASCII);
    private static final int UUID_CHARS = 36;

    private CandidateScan() {}

    /**
     * What an answer holds.
     *
     * @param requests allocation requests
     * @param summaries provider summaries
     */
    record Counts(int requests, int summaries) {}

    /** @throws IOException when it is not JSON */
    static Counts count(byte[] answer) throws IOException {
        int requests = 0;
        int summaries = 0;
        try (JsonParser json = JSON.createParser(answer)) {
            json.nextToken();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String field = json.currentName();
                json.nextToken();
                int members = members(json);
                switch (field) {
                    case "allocation_requests" -> requests = members;
                    case "provider_summaries" -> summaries = members;
                    default -> throw new IOException("unexpected field " + field);
                }
            }
        }
        return new Counts(requests, summaries);
    }

    /** Leaves the parser at the end of the array or object it stands at the start of. */
    private static int members(JsonParser json) throws IOException {
        int members = 0;
        JsonToken token;
        while ((token = json.nextToken()) != JsonToken.END_ARRAY && token != JsonToken.END_OBJECT) {
            if (token == null) {
                throw new IOException("ends early");
            }
            if (token == JsonToken.FIELD_NAME) {
                json.nextToken();
            }
            json.skipChildren();
            members++;
        }
        return members;
    }

    /**
     * The first provider of the first allocation request from an offset on, going round at the end; null when there
     * is no allocation request. Reads the bytes as they are: only for answers that have been seen to be well-formed.
     */
    static UUID providerFrom(byte[] answer, int offset) {
        int at = indexOfAllocations(answer, offset);
        if (at < 0) {
            at = indexOfAllocations(answer, 0);
        }
        if (at < 0) {
            return null;
        }
        int begin = at + ALLOCATIONS.length;
        while (answer[begin] != '"') {
            begin++;
        }
        return UUID.fromString(new String(answer, begin + 1, UUID_CHARS, StandardCharsets.US_ASCII));
    }

    private static int indexOfAllocations(byte[] answer, int from) {
        int last = answer.length - ALLOCATIONS.length - UUID_CHARS - 8;
        for (int i = from; i <= last; i++) {
            if (answer[i] == '"' && startsWithAllocations(answer, i)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean startsWithAllocations(byte[] answer, int at) {
        for (int i = 1; i < ALLOCATIONS.length; i++) {
            if (answer[at + i] != ALLOCATIONS[i]) {
                return false;
            }
        }
        return true;
    }
}
