package io.berth.deploy.analysis;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.http.RestClient;
import jakarta.annotation.Nullable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Option;

/**
 * The options that, together with a flavor, describe an instance to be placed. Renders them as a {@code request_spec}.
 */
final class RequestOptions {
    @Option(names = "--zone", paramLabel = "ZONE", description = "availability zone")
    private @Nullable String zone;

    @Option(names = "--project", paramLabel = "ID", description = "project of the instance")
    private @Nullable String project;

    @Option(names = "--extra-spec", paramLabel = "KEY=VALUE",
            description = "extra spec of the flavor: trait:CUSTOM_GPU=required, hw:cpu_policy=dedicated; repeatable")
    private Map<String, String> extraSpecs = Map.of();

    @Option(names = "--image-property", paramLabel = "KEY=VALUE", description = "property of the image; repeatable")
    private Map<String, String> imageProperties = Map.of();

    @Option(names = "--hint", paramLabel = "KEY=VALUE", description = "scheduler hint: group=UUID; repeatable")
    private Map<String, String> hints = Map.of();

    @Option(names = "--request", paramLabel = "FILE",
            description = "a request_spec as JSON (- for standard input); the other options override its members")
    private @Nullable Path requestFile;

    /**
     * The request_spec of the file of {@code --request}; null until first used. Cached because the file may be standard
     * input, which can be read only once.
     */
    private @Nullable ObjectNode fileSpec;

    /**
     * Returns the request_spec of the file of {@code --request}, or an empty one without a file, after setting the
     * members that {@code flavor} and the other options give. All other members stay as in the file, among them extra
     * specs of its flavor that no option sets.
     *
     * @param flavor null to use the flavor of the file
     * @throws IllegalArgumentException if the file is unusable, or neither the file nor {@code flavor} gives a flavor;
     *         the message is one line for the user
     */
    ObjectNode requestSpec(@Nullable FlavorText flavor) {
        ObjectNode spec = requestFile == null ? RestClient.emptyObject() : fileSpec(requestFile).deepCopy();
        if (flavor != null) {
            flavor.render(spec.withObjectProperty("flavor"));
        }
        if (!spec.has("flavor")) {
            throw new IllegalArgumentException("the flavor is missing: --flavor 4:8192:40, or --request FILE");
        }
        if (zone != null) {
            spec.put("availability_zone", zone);
        }
        if (project != null) {
            spec.put("project_id", project);
        }
        if (!extraSpecs.isEmpty()) {
            extraSpecs.forEach(spec.withObjectProperty("flavor").withObjectProperty("extra_specs")::put);
        }
        if (!imageProperties.isEmpty()) {
            imageProperties.forEach(spec.withObjectProperty("image").withObjectProperty("properties")::put);
        }
        if (!hints.isEmpty()) {
            hints.forEach(spec.withObjectProperty("scheduler_hints")::put);
        }
        return spec;
    }

    /** Returns one object with {@code name} and {@code request_spec} per flavor, for the body of a capacity query. */
    ArrayNode capacityRequests(List<FlavorText> flavors) {
        ArrayNode requests = JsonNodeFactory.instance.arrayNode();
        flavors.forEach(flavor -> requests.addObject().put("name", flavor.name())
                .set("request_spec", requestSpec(flavor)));
        return requests;
    }

    private ObjectNode fileSpec(Path file) {
        ObjectNode spec = fileSpec;
        if (spec == null) {
            spec = parse(file);
            fileSpec = spec;
        }
        return spec;
    }

    private static ObjectNode parse(Path file) {
        try {
            String text = file.toString().equals("-")
                    ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8) : Files.readString(file);
            JsonNode body = new ObjectMapper().readTree(text);
            // Accepts a whole body of POST /v1/select_destinations, or only its request_spec.
            if ((body.has("request_spec") ? body.path("request_spec") : body) instanceof ObjectNode spec) {
                return spec;
            }
            throw new IllegalArgumentException(file + ": must contain a JSON object");
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(file + ": must contain JSON: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot read %s: name a file of JSON in UTF-8".formatted(file), e);
        }
    }
}
