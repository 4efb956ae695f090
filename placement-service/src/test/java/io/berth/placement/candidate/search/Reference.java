package io.berth.placement.candidate.search;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.placement.candidate.search.FleetBuilder.Described;
import io.berth.placement.http.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** A running implementation of Placement, with a fleet that the test writes through its API. */
final class Reference {
    private final String url;
    private final String[] resetCommand;
    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    Reference(String url, String resetCommand) {
        this.url = url;
        this.resetCommand = resetCommand.split(" ");
    }

    record Answer(int status, JsonNode json) {}

    Answer get(String path, String version) throws IOException, InterruptedException {
        return send("GET", path, version, null);
    }

    private Answer send(String method, String path, String version, JsonNode body)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(url + path))
                .header("x-auth-token", "admin")
                .header("openstack-api-version", "placement " + version)
                .method(method, body == null
                        ? HttpRequest.BodyPublishers.noBody()
                        : HttpRequest.BodyPublishers.ofByteArray(Json.write(body)));
        if (body != null) {
            request.header("content-type", "application/json");
        }
        var response = http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        boolean isJson = response.headers().firstValue("content-type").orElse("").contains("json");
        return new Answer(
                response.statusCode(), isJson && response.body().length > 0 ? Json.parse(response.body()) : null);
    }

    private int sendForGeneration(String path, ObjectNode body) throws IOException, InterruptedException {
        return sendChange("PUT", path, body).json().get("resource_provider_generation").asInt();
    }

    private Answer sendChange(String method, String path, JsonNode body) throws IOException, InterruptedException {
        Answer answer = send(method, path, "1.36", body);
        if (answer.status() >= 300) {
            throw new IllegalStateException(method + " " + path + " " + body + " gave " + answer);
        }
        return answer;
    }

    /** Empties the reference and creates the fleet. */
    void load(FleetBuilder fleet) throws IOException, InterruptedException {
        Process reset = new ProcessBuilder(resetCommand).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        if (reset.waitFor() != 0) {
            throw new IllegalStateException("the reset command failed");
        }
        for (String trait : RandomCloud.TRAITS) {
            sendChange("PUT", "/traits/" + trait, null);
        }
        for (String name : fleet.classNames()) {
            if (name.startsWith("CUSTOM_")) {
                sendChange("PUT", "/resource_classes/" + name, null);
            }
        }
        for (Described provider : fleet.providers()) {
            create(provider);
        }
    }

    private void create(Described provider) throws IOException, InterruptedException {
        ObjectNode body = Json.object().put("name", provider.name).put("uuid", provider.uuid().toString());
        if (provider.parent != null) {
            body.put("parent_provider_uuid", provider.parent.uuid().toString());
        }
        sendChange("POST", "/resource_providers", body);
        String path = "/resource_providers/" + provider.uuid();
        ObjectNode inventories = Json.object().put("resource_provider_generation", 0);
        ObjectNode stocks = inventories.putObject("inventories");
        provider.stocks.forEach((name, stock) -> stocks.putObject(name)
                .put("total", stock.total()).put("reserved", stock.reserved()).put("min_unit", stock.minUnit())
                .put("max_unit", stock.maxUnit()).put("step_size", stock.stepSize())
                .put("allocation_ratio", stock.ratio()));
        int generation = sendForGeneration(path + "/inventories", inventories);
        ObjectNode traits = Json.object().put("resource_provider_generation", generation);
        provider.traits.forEach(traits.putArray("traits")::add);
        generation = sendForGeneration(path + "/traits", traits);
        ObjectNode aggregates = Json.object().put("resource_provider_generation", generation);
        var uuids = aggregates.putArray("aggregates");
        provider.aggregates.forEach(name -> uuids.add(FleetBuilder.uuidOf(name).toString()));
        sendChange("PUT", path + "/aggregates", aggregates);
        for (var stock : provider.stocks.entrySet()) {
            if (stock.getValue().used() > 0) {
                allocate(provider, stock.getKey(), stock.getValue().used());
            }
        }
    }

    private void allocate(Described provider, String resourceClass, long amount)
            throws IOException, InterruptedException {
        ObjectNode body = Json.object().put("project_id", "p").put("user_id", "u").putNull("consumer_generation");
        body.putObject("allocations").putObject(provider.uuid().toString()).putObject("resources")
                .put(resourceClass, amount);
        sendChange("PUT", "/allocations/" + FleetBuilder.uuidOf(provider.name + resourceClass), body);
    }
}
