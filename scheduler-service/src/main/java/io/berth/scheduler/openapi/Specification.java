package io.berth.scheduler.openapi;

import io.berth.scheduler.http.ErrorCode;
import io.quarkus.smallrye.openapi.OpenApiFilter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.OASFilter;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.PathItem.HttpMethod;
import org.eclipse.microprofile.openapi.models.media.Content;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;
import org.eclipse.microprofile.openapi.models.responses.APIResponses;

/**
 * Completes {@code META-INF/openapi.yaml} when the service is built: the routes of registered collections, the errors
 * of every route, and the schema of errors. Parts that the file defines itself stay.
 */
@OpenApiFilter(stages = OpenApiFilter.RunStage.BUILD)
public final class Specification implements OASFilter {
    private static final Map<String, String> OF_ALL = Map.of(
            "400", "Invalid", "401", "Unauthorized", "403", "Forbidden", "406", "NotAcceptable", "500", "Failed",
            "503", "Unavailable");
    private static final Map<String, String> OF_BODIES = Map.of("413", "TooLarge", "415", "Unsupported");
    /** A PUT has no 404, as it creates a missing record. */
    private static final Map<String, String> OF_NAMED = Map.of("404", "NotFound");

    @Override
    public void filterOpenAPI(OpenAPI api) {
        CollectionRoutes.addTo(api);
        api.getPaths().getPathItems().forEach((path, item) -> item.getOperations().forEach((method, operation) -> {
            addErrors(operation, OF_ALL);
            addErrors(operation, operation.getRequestBody() == null ? Map.of() : OF_BODIES);
            addErrors(operation, path.contains("{") && method != HttpMethod.PUT ? OF_NAMED : Map.of());
            APIResponses responses = operation.getResponses();
            responses.setAPIResponses(new TreeMap<>(responses.getAPIResponses()));
        }));
        api.getComponents().getResponses().values().forEach(Specification::addExample);
    }

    /** @param errors status to the name of the response */
    static void addErrors(Operation operation, Map<String, String> errors) {
        errors.forEach((status, name) -> add(operation, status, OASFactory.createAPIResponse().ref(name)));
    }

    /** Adds a response, unless the file has one of that status. */
    static void add(Operation operation, String status, APIResponse response) {
        if (!operation.getResponses().hasAPIResponse(status)) {
            operation.getResponses().addAPIResponse(status, response);
        }
    }

    static Content json(String schema, Object example) {
        return OASFactory.createContent().addMediaType(
                "application/json",
                OASFactory.createMediaType().schema(OASFactory.createSchema().ref(schema)).example(example));
    }

    /**
     * Adds an example to an error that the file describes with {@code x-code}, as in {@link ErrorCode}, and
     * {@code x-detail}.
     */
    private static void addExample(APIResponse response) {
        ErrorCode code = ErrorCode.valueOf(response.getExtensions().get("x-code").toString());
        // Keeps the order in which the service writes the members; that of Map.of differs from build to build.
        Map<String, Object> error = new LinkedHashMap<>();
        error.put("status", code.status());
        error.put("request_id", "req-6ab05e72-0f5d-4d0b-8f3e-0c3b6a0f1c11");
        error.put("code", code.code());
        error.put("title", code.title());
        error.put("detail", response.getExtensions().get("x-detail"));
        response.setContent(json("Error", Map.of("errors", List.of(error))));
        response.removeExtension("x-code");
        response.removeExtension("x-detail");
    }
}
