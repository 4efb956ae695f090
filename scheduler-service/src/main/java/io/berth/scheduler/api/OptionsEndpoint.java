package io.berth.scheduler.api;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.config.service.ConfiguredOptions;
import io.berth.scheduler.filter.HostFilter;
import io.berth.scheduler.weigher.HostWeigher;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/**
 * {@code GET /v1/options}: every option by nova's group and name. {@code stated} holds what the configuration says;
 * options that it does not mention are null there and have upstream's default. Also the filters and weighers that run,
 * in order.
 */
@Path("/v1/options")
@Produces(MediaType.APPLICATION_JSON)
public class OptionsEndpoint {
    private final ConfiguredOptions configured;
    private final EnabledClasses enabled;

    OptionsEndpoint(ConfiguredOptions configured, EnabledClasses enabled) {
        this.configured = configured;
        this.enabled = enabled;
    }

    @GET
    public Uni<String> get() {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        ObjectNode stated = answer.putObject("stated");
        configured.stated().forEach((group, options) -> {
            ObjectNode members = stated.putObject(group);
            options.forEach(members::put);
        });
        enabled.filters().inOrder().stream().map(HostFilter::name).forEach(answer.putArray("filters")::add);
        enabled.weighers().inOrder().stream().map(HostWeigher::name).forEach(answer.putArray("weighers")::add);
        return Uni.createFrom().item(answer.toString());
    }
}
