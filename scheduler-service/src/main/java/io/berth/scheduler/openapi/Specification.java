package io.berth.scheduler.openapi;

import io.berth.scheduler.http.ErrorCode;
import io.quarkus.smallrye.openapi.OpenApiFilter;
import jakarta.annotation.Nullable;
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
 * Completes {@code META-INF/openapi.yaml} at build time: adds the routes of registered collections, the error responses
 * of all routes, and the examples of errors. Keeps the summaries and responses that the file defines.
 */
@OpenApiFilter(stages = OpenApiFilter.RunStage.BUILD)
public final class Specification implements OASFilter {
    /** Error responses of all routes: status to name of the response in openapi.yaml. */
    private static final Map<String, String> ERRORS_OF_ALL = Map.of(
            "400", "Invalid", "401", "Unauthorized", "403", "Forbidden", "406", "NotAcceptable", "500", "Failed",
            "503", "Unavailable");
    /** Error responses of routes with a request body. */
    private static final Map<String, String> ERRORS_OF_BODIES = Map.of("413", "TooLarge", "415", "Unsupported");
    /** Error responses of routes with a variable part in their path, except for PUT, which creates a missing record. */
    private static final Map<String, String> ERRORS_OF_RECORDS = Map.of("404", "NotFound");

    @Override
    public void filterOpenAPI(OpenAPI api) {
        CollectionRoutes.addTo(api);
        api.getPaths().getPathItems().forEach((path, item) -> item.getOperations().forEach((method, operation) -> {
            addErrors(operation, ERRORS_OF_ALL);
            addErrors(operation, operation.getRequestBody() == null ? Map.of() : ERRORS_OF_BODIES);
            addErrors(operation, path.contains("{") && method != HttpMethod.PUT ? ERRORS_OF_RECORDS : Map.of());
            APIResponses responses = operation.getResponses();
            responses.setAPIResponses(new TreeMap<>(responses.getAPIResponses()));
        }));
        api.getComponents().getResponses().values().forEach(Specification::addExample);
    }

    /**
     * Adds error responses that the operation does not define.
     *
     * @param errors status to name of the response in openapi.yaml
     */
    static void addErrors(Operation operation, Map<String, String> errors) {
        errors.forEach((status, name) -> add(operation, status, OASFactory.createAPIResponse().ref(name)));
    }

    /** Adds a response, unless the operation defines one for the status. */
    static void add(Operation operation, String status, APIResponse response) {
        if (!operation.getResponses().hasAPIResponse(status)) {
            operation.getResponses().addAPIResponse(status, response);
        }
    }

    /**
     * Returns JSON content with the schema of this name.
     *
     * @param example an example of the content; null for none
     */
    static Content json(String schema, @Nullable Object example) {
        return OASFactory.createContent().addMediaType(
                "application/json",
                OASFactory.createMediaType().schema(OASFactory.createSchema().ref(schema)).example(example));
    }

    /**
     * Replaces the extensions {@code x-code}, the name of an {@link ErrorCode}, and {@code x-detail} of an error
     * response by an example of its body.
     */
    private static void addExample(APIResponse response) {
        ErrorCode code = ErrorCode.valueOf(String.valueOf(response.getExtensions().get("x-code")));
        // The order is that of real responses; the order of Map.of would differ between builds.
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
