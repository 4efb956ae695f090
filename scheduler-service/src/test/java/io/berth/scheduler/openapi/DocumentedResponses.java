package io.berth.scheduler.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.restassured.RestAssured;
import io.restassured.filter.Filter;
import io.restassured.filter.FilterContext;
import io.restassured.response.Response;
import io.restassured.specification.FilterableRequestSpecification;
import io.restassured.specification.FilterableResponseSpecification;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * Compares every response that any test gets from {@code /v1} with the OpenAPI document: the route must document the
 * status, the body must match the schema, and so must the body of a request that was accepted.
 */
public final class DocumentedResponses implements Filter {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Compares the responses of all further tests. */
    public static void compareAll() {
        if (RestAssured.filters().stream().noneMatch(DocumentedResponses.class::isInstance)) {
            RestAssured.filters(new DocumentedResponses());
        }
    }

    @Override
    public Response filter(
            FilterableRequestSpecification request, FilterableResponseSpecification expected, FilterContext context) {
        Response answer = context.next(request, expected);
        URI uri = URI.create(request.getURI());
        if (uri.getPath().startsWith("/v1/")) {
            check(ApiDocument.of(uri.getScheme() + "://" + uri.getAuthority()), request, uri, answer);
        }
        return answer;
    }

    private static void check(
            ApiDocument document, FilterableRequestSpecification request, URI uri, Response answer) {
        String call = request.getMethod() + " " + uri.getRawPath() + " -> " + answer.statusCode();
        JsonNode operation = document.operation(request.getMethod(), uri.getRawPath());
        if (operation == null) {
            assertThat(answer.statusCode()).as("undocumented: " + call).isIn(401, 403, 404, 405, 413);
            return;
        }
        JsonNode documented = operation.path("responses").path(String.valueOf(answer.statusCode()));
        assertThat(documented.isMissingNode()).as("status is not documented: " + call).isFalse();
        JsonNode schema = document.json(documented).path("schema");
        if (String.valueOf(answer.header("content-type")).startsWith("text/plain")) {
            assertThat(document.content(documented, "text/plain").isMissingNode())
                    .as("text is not documented: " + call).isFalse();
            assertThat(answer.asString()).as(call).endsWith("\n");
        } else if (schema.isMissingNode()) {
            assertThat(answer.asByteArray()).as("body is not documented: " + call).isEmpty();
        } else {
            assertThat(document.differences(schema, parsed(answer.asByteArray()))).as(call).isEmpty();
        }
        JsonNode requestSchema = document.json(operation.path("requestBody")).path("schema");
        if (answer.statusCode() < 300 && !requestSchema.isMissingNode()) {
            Object body = request.getBody();
            byte[] bytes = body instanceof byte[] raw ? raw : String.valueOf(body).getBytes(StandardCharsets.UTF_8);
            assertThat(document.differences(requestSchema, parsed(bytes))).as("request of " + call).isEmpty();
        }
    }

    private static JsonNode parsed(byte[] body) {
        try {
            return JSON.readTree(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
