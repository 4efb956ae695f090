package io.berth.scheduler.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DoubleNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.berth.scheduler.config.service.ConfiguredOptions;
import io.berth.scheduler.config.service.EffectiveOption;
import io.berth.scheduler.extension.EnabledClasses;
import io.berth.scheduler.spi.HostFilter;
import io.berth.scheduler.spi.HostWeigher;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;

/**
 * {@code GET /v1/options}: returns every option by nova's group and name, with its effective value (three stars for a
 * secret), the source of the value (default, a Berth key, nova.conf) and the configuration key that sets it. Options
 * that nova does not have are in the group {@code berth}. Also returns the enabled filters and weighers in their order.
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
        ObjectNode response = JsonNodeFactory.instance.objectNode();
        ObjectNode options = response.putObject("options");
        for (EffectiveOption option : configured.effective()) {
            options.withObjectProperty(option.group())
                    .putObject(option.name())
                    .<ObjectNode>set("value", value(option.value()))
                    .put("source", option.source().wireName())
                    .put("key", option.key());
        }
        enabled.filters().inOrder().stream().map(HostFilter::name).forEach(response.putArray("filters")::add);
        enabled.weighers().inOrder().stream().map(HostWeigher::name).forEach(response.putArray("weighers")::add);
        return Uni.createFrom().item(response.toString());
    }

    private static JsonNode value(@Nullable Object value) {
        return switch (value) {
            case null -> NullNode.instance;
            case JsonNode json -> json;
            case Integer number -> IntNode.valueOf(number);
            case Double number -> DoubleNode.valueOf(number);
            case Boolean bool -> BooleanNode.valueOf(bool);
            case List<?> items -> {
                ArrayNode texts = JsonNodeFactory.instance.arrayNode();
                items.forEach(item -> texts.add(item.toString()));
                yield texts;
            }
            default -> TextNode.valueOf(value.toString());
        };
    }
}
