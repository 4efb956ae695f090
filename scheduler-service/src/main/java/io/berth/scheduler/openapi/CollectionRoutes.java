package io.berth.scheduler.openapi;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.models.Components;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.eclipse.microprofile.openapi.models.Operation;
import org.eclipse.microprofile.openapi.models.PathItem;
import org.eclipse.microprofile.openapi.models.PathItem.HttpMethod;
import org.eclipse.microprofile.openapi.models.headers.Header;
import org.eclipse.microprofile.openapi.models.media.Schema;
import org.eclipse.microprofile.openapi.models.parameters.Parameter;
import org.eclipse.microprofile.openapi.models.responses.APIResponse;

/**
 * Adds the routes of a collection of registered records to the OpenAPI document. All collections have the same routes.
 *
 * @param api the document, which is changed
 * @param route last segment of the path of the collection
 * @param name name of the schema of a record, such as ComputeNode; the document must contain the schema with an example
 * @param members members of a record by which a list can be filtered and, besides the uuid, sorted
 */
record CollectionRoutes(OpenAPI api, String route, String name, List<String> members) {
    /** Collections whose edits the placement sync also writes to placement. */
    private static final List<String> COPIED_TO_PLACEMENT = List.of("compute_nodes", "services", "host_aggregates");

    /** Adds the routes of all collections, in a fixed order, so that builds are reproducible. */
    static void addTo(OpenAPI api) {
        new CollectionRoutes(api, "cells", "Cell", List.of("name")).add();
        new CollectionRoutes(api, "compute_nodes", "ComputeNode", List.of("host", "nodename")).add();
        new CollectionRoutes(api, "services", "ComputeService", List.of("host")).add();
        new CollectionRoutes(api, "host_aggregates", "HostAggregate", List.of("name")).add();
        new CollectionRoutes(api, "server_groups", "ServerGroup", List.of()).add();
        new CollectionRoutes(api, "instances", "Instance", List.of("host")).add();
    }

    private void add() {
        String nameInWords = name.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
        String nameWithArticle = (nameInWords.matches("[aeiou].*") ? "an " : "a ") + nameInWords;
        Components components = api.getComponents();
        Schema recordSchema = Objects.requireNonNull(components.getSchemas().get(name), name);
        Object example = recordSchema.getExamples().getFirst();
        recordSchema.setExamples(null);
        components.addSchema("Stored" + name, OASFactory.createSchema()
                .addAllOf(OASFactory.createSchema().ref(name))
                .required(List.of("uuid", "version")));
        components.addSchema(name + "List", OASFactory.createSchema()
                .addType(Schema.SchemaType.OBJECT)
                .required(List.of(route))
                .addProperty(route, OASFactory.createSchema()
                        .addType(Schema.SchemaType.ARRAY)
                        .items(OASFactory.createSchema().ref("Stored" + name)))
                .addProperty(route + "_links", OASFactory.createSchema().ref("Links")));

        String collectionPath = "/v1/" + route;
        Operation list = operation(collectionPath, HttpMethod.GET, "list" + name + "s", "List " + nameInWords + "s")
                .addParameter(parameter("limit"))
                .addParameter(parameter("marker"))
                .addParameter(parameter("sort_dir"));
        List<Object> sorted = new ArrayList<>(List.of("uuid"));
        for (String member : members) {
            sorted.add(member);
            list.addParameter(query(member).description("only records with exactly this " + member)
                    .schema(OASFactory.createSchema().addType(Schema.SchemaType.STRING)));
        }
        list.addParameter(query("sort_key")
                .description("member to sort by; records with equal values are sorted by uuid")
                .schema(OASFactory.createSchema().addType(Schema.SchemaType.STRING).enumeration(sorted)));
        Specification.add(list, "200", response("One page", name + "List"));
        Operation create = operation(
                collectionPath, HttpMethod.POST, "create" + name,
                "Register " + nameWithArticle + " that does not exist yet");
        addWrite(create, example);
        Operation putAll = operation(
                collectionPath, HttpMethod.PUT, "put" + name + "s",
                "Write several " + nameInWords + "s, all of them or none");
        components.addSchema(name + "s", OASFactory.createSchema()
                .addType(Schema.SchemaType.OBJECT)
                .required(List.of(route))
                .addProperty(route, OASFactory.createSchema()
                        .addType(Schema.SchemaType.ARRAY)
                        .minItems(1)
                        .maxItems(1_000)
                        .items(OASFactory.createSchema()
                                .addAllOf(OASFactory.createSchema().ref(name))
                                .required(List.of("uuid")))));
        Map<String, Object> named = new LinkedHashMap<>(Map.of("uuid", "11111111-1111-4111-8111-111111111111"));
        ((Map<?, ?>) example).forEach((member, value) -> named.put(String.valueOf(member), value));
        putAll.setRequestBody(OASFactory.createRequestBody().required(true)
                .content(Specification.json(name + "s", Map.of(route, List.of(named)))));
        Specification.add(putAll, "200", response("The written records with their versions", "Versions" + name));
        Specification.addErrors(putAll, Map.of("409", "Conflict"));
        components.addSchema("Versions" + name, OASFactory.createSchema()
                .addType(Schema.SchemaType.OBJECT)
                .required(List.of(route))
                .addProperty(route, OASFactory.createSchema()
                        .addType(Schema.SchemaType.ARRAY)
                        .items(OASFactory.createSchema().ref("RecordVersion"))));

        String recordPath = collectionPath + "/{uuid}";
        // An instance can also be read by its name.
        Operation get = operation(recordPath, HttpMethod.GET, "get" + name, "Read " + nameWithArticle)
                .addParameter(parameter(route.equals("instances") ? "instance" : "uuid"));
        Specification.add(get, "200", response("The record", "Stored" + name).addHeader("ETag", etagHeader()));
        Operation put = operation(
                recordPath, HttpMethod.PUT, "put" + name, "Create or replace " + nameWithArticle)
                .addParameter(parameter("uuid"))
                .addParameter(parameter("if_match"));
        Specification.add(put, "200", response("Replaced", "Stored" + name).addHeader("ETag", etagHeader()));
        addWrite(put, example);
        Specification.addErrors(put, Map.of("412", "NotMatched"));
        Operation delete = operation(recordPath, HttpMethod.DELETE, "delete" + name, "Delete " + nameWithArticle)
                .addParameter(parameter("uuid"))
                .addParameter(parameter("if_match"));
        Specification.add(delete, "204", OASFactory.createAPIResponse().description("Deleted"));
        Specification.addErrors(delete, Map.of("412", "NotMatched"));
        if (COPIED_TO_PLACEMENT.contains(route)) {
            components.addSchema("Pending" + name, OASFactory.createSchema()
                    .addAllOf(OASFactory.createSchema().ref("Stored" + name))
                    .required(List.of("placement_sync")));
            addWait(create, "Pending" + name);
            addWait(put, "Pending" + name);
            addWait(putAll, "Versions" + name);
            addWait(delete, "PendingPlacementSync");
        }
    }

    /**
     * Adds the parameter by which an edit waits for placement, and the response for the case that placement does not
     * have the edit in time.
     */
    private void addWait(Operation operation, String schema) {
        operation.addParameter(parameter("wait"));
        Specification.add(operation, "202", response("Stored; placement does not have the change yet", schema));
    }

    /**
     * Returns the operation, which openapi.yaml may define in part, with the parts that all collections share. Keeps a
     * summary of the file; replaces the operation's id.
     */
    private Operation operation(String path, HttpMethod method, String id, String summary) {
        PathItem item = api.getPaths().getPathItem(path);
        if (item == null) {
            item = OASFactory.createPathItem();
            api.getPaths().addPathItem(path, item);
        }
        Operation operation = item.getOperations().getOrDefault(method, OASFactory.createOperation());
        item.setOperation(method, operation);
        if (operation.getSummary() == null) {
            operation.setSummary(summary);
        }
        if (operation.getResponses() == null) {
            operation.setResponses(OASFactory.createAPIResponses());
        }
        return operation.operationId(id).addTag("registry");
    }

    /** Adds the request body, with an example, and the responses 201 and 409 to an operation that writes one record. */
    private void addWrite(Operation operation, Object example) {
        operation.setRequestBody(
                OASFactory.createRequestBody().required(true).content(Specification.json(name, example)));
        Specification.add(operation, "201", response("Created", "Stored" + name).addHeader("ETag", etagHeader()));
        Specification.addErrors(operation, Map.of("409", "Conflict"));
    }

    private static Header etagHeader() {
        return OASFactory.createHeader().description("the version in quotes, for If-Match")
                .schema(OASFactory.createSchema().addType(Schema.SchemaType.STRING));
    }

    private static APIResponse response(String description, String schema) {
        return OASFactory.createAPIResponse().description(description).content(Specification.json(schema, null));
    }

    private static Parameter query(String name) {
        return OASFactory.createParameter().name(name).in(Parameter.In.QUERY);
    }

    private static Parameter parameter(String name) {
        return OASFactory.createParameter().ref(name);
    }
}
