package io.berth.scheduler.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** A response as JSON and as text, side by side in the resources of a test. */
public record TextSample(JsonNode json, String text) {
    /** @param name of both files, without the suffix, in the package of the test */
    public static TextSample read(Class<?> test, String name) throws IOException {
        return new TextSample(
                new ObjectMapper().readTree(resource(test, name + ".json")), resource(test, name + ".txt"));
    }

    private static String resource(Class<?> test, String name) throws IOException {
        try (InputStream file = test.getResourceAsStream(name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
