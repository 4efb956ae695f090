package io.berth.deploy.load.situation;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/**
 * Counts the candidates in a response of {@code GET /allocation_candidates} with a streaming parser, because building a
 * tree of hundreds of kilobytes would cost the generator too much.
 */
final class CandidateScan {
    private static final JsonFactory JSON = new JsonFactory();

    private CandidateScan() {}

    /**
     * The counts of a response.
     *
     * @param requests number of allocation requests
     * @param summaries number of provider summaries
     */
    record Counts(int requests, int summaries) {}

    /**
     * Counts the candidates. A missing member counts as empty. If the body is empty or is not a JSON object, both
     * members count as empty.
     *
     * @param response the body of the response
     * @throws IOException if the body is not JSON, or if the object has a member other than {@code allocation_requests}
     *         and {@code provider_summaries}
     */
    static Counts count(byte[] response) throws IOException {
        int requests = 0;
        int summaries = 0;
        try (JsonParser json = JSON.createParser(response)) {
            json.nextToken();
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String field = json.currentName();
                json.nextToken();
                int members = countMembers(json);
                switch (field) {
                    case "allocation_requests" -> requests = members;
                    case "provider_summaries" -> summaries = members;
                    default -> throw new IOException("unexpected field " + field);
                }
            }
        }
        return new Counts(requests, summaries);
    }

    /**
     * Counts the members of an array or object. The parser is at the start token of the array or object when the method
     * is called, and at its end token when the method returns.
     */
    private static int countMembers(JsonParser json) throws IOException {
        int members = 0;
        JsonToken token;
        while ((token = json.nextToken()) != JsonToken.END_ARRAY && token != JsonToken.END_OBJECT) {
            if (token == null) {
                throw new IOException("the body ends early");
            }
            if (token == JsonToken.FIELD_NAME) {
                json.nextToken();
            }
            json.skipChildren();
            members++;
        }
        return members;
    }
}
