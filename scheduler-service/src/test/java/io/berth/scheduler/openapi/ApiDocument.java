package io.berth.scheduler.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** The OpenAPI document as the running service serves it. */
final class ApiDocument {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonSchemaFactory SCHEMAS = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012);
    private static final Map<String, ApiDocument> READ = new ConcurrentHashMap<>();
    private static final Set<String> MEMBER_KEYWORDS = Set.of("properties", "additionalProperties", "allOf");
    private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");

    private final JsonNode root;

    private ApiDocument(JsonNode root) {
        this.root = root;
    }

    /** @param server scheme, host and port */
    static ApiDocument of(String server) {
        return READ.computeIfAbsent(server, ApiDocument::read);
    }

    private static ApiDocument read(String server) {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<byte[]> answer = client.send(
                    HttpRequest.newBuilder(URI.create(server + "/q/openapi?format=json")).build(),
                    HttpResponse.BodyHandlers.ofByteArray());
            return new ApiDocument(JSON.readTree(answer.body()));
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    JsonNode root() {
        return root;
    }

    /** Returns the routes, such as {@code GET /v1/options}, sorted. */
    Set<String> routes() {
        Set<String> routes = new TreeSet<>();
        root.path("paths").properties().forEach(path -> path.getValue().fieldNames().forEachRemaining(method -> {
            if (METHODS.contains(method)) {
                routes.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey());
            }
        }));
        return routes;
    }

    /** Returns the operation of a route; null if the document has no such route. */
    @Nullable JsonNode operation(String method, String path) {
        JsonNode exact = root.path("paths").path(path);
        if (!exact.isMissingNode()) {
            return exact.get(method.toLowerCase(Locale.ROOT));
        }
        for (Map.Entry<String, JsonNode> item : root.path("paths").properties()) {
            if (path.matches(item.getKey().replaceAll("\\{[^}]*}", "[^/]+"))) {
                return item.getValue().get(method.toLowerCase(Locale.ROOT));
            }
        }
        return null;
    }

    JsonNode operation(String route) {
        return operation(route.substring(0, route.indexOf(' ')), route.substring(route.indexOf(' ') + 1));
    }

    /** Returns the target of a reference, or the node itself if it is none. */
    JsonNode resolved(JsonNode node) {
        String reference = node.path("$ref").textValue();
        return reference == null ? node : root.at(reference.substring(1));
    }

    /** Returns the JSON media type object of a request or response body; a missing node if there is none. */
    JsonNode json(JsonNode body) {
        return content(body, "application/json");
    }

    /** Returns the object of another media type. */
    JsonNode content(JsonNode body, String mediaType) {
        return resolved(body).path("content").path(mediaType);
    }

    /** Returns the differences between the value and the schema. */
    List<String> differences(JsonNode schema, JsonNode value) {
        ObjectNode whole = schema.deepCopy();
        whole.set("components", root.get("components"));
        List<String> differences = new ArrayList<>();
        for (ValidationMessage message : SCHEMAS.getSchema(whole).validate(value)) {
            differences.add(message.toString());
        }
        return differences;
    }

    /** Returns the schemas of objects that do not describe their members. */
    List<JsonNode> bareObjects() {
        return root.findParents("type").stream()
                .filter(schema -> schema.get("type").asText().equals("object")
                        || schema.get("type").valueStream().anyMatch(type -> type.asText().equals("object")))
                .filter(schema -> MEMBER_KEYWORDS.stream().noneMatch(schema::has))
                .toList();
    }

    /** Returns the references that have no target. */
    List<String> dangling() {
        List<String> dangling = new ArrayList<>();
        for (JsonNode reference : root.findValues("$ref")) {
            if (root.at(reference.textValue().substring(1)).isMissingNode()) {
                dangling.add(reference.textValue());
            }
        }
        return dangling;
    }
}
