package io.berth.placement.candidate.answer;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.berth.placement.http.ApiException;
import io.berth.placement.http.Json;
import java.io.IOException;
import java.util.stream.LongStream;

/** Reads {@code {"ids": [17, 21]}}, token by token: a full list is read in a millisecond. */
final class TreeIds {
    static final int COUNT_MAX = 10_000;

    private TreeIds() {}

    /** Each once. 400 for whatever is not understood. */
    static long[] parse(byte[] body) {
        if (body == null || body.length == 0) {
            throw ApiException.badRequest("Malformed JSON: the body is empty");
        }
        try (JsonParser json = Json.parser(body)) {
            require(json.nextToken() == JsonToken.START_OBJECT
                    && "ids".equals(json.nextFieldName())
                    && json.nextToken() == JsonToken.START_ARRAY, "the body is an object with the list ids");
            long[] ids = ids(json);
            require(json.nextToken() == JsonToken.END_OBJECT, "ids is the only member");
            require(json.nextToken() == null, "something follows the object");
            return ids;
        } catch (JsonProcessingException e) {
            throw ApiException.badRequest("Malformed JSON: " + e.getOriginalMessage().lines().findFirst().orElse(""));
        } catch (IOException e) {
            throw ApiException.badRequest("Malformed JSON: not UTF-8 text");
        }
    }

    private static long[] ids(JsonParser json) throws IOException {
        LongStream.Builder all = LongStream.builder();
        for (int count = 0; json.nextToken() != JsonToken.END_ARRAY; count++) {
            require(count < COUNT_MAX, "ids has more than " + COUNT_MAX + " elements");
            require(json.currentToken() == JsonToken.VALUE_NUMBER_INT
                    && json.getNumberType() != JsonParser.NumberType.BIG_INTEGER, "ids has something that is no id");
            all.add(json.getLongValue());
        }
        return all.build().distinct().toArray();
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw ApiException.badRequest("JSON does not validate: " + otherwise);
        }
    }
}
