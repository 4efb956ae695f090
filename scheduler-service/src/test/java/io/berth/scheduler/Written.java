package io.berth.scheduler;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.body.RequestSpecBody;
import io.berth.scheduler.config.OptionSource;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.json.StrictObject;
import io.berth.scheduler.request.Constraints;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.simulation.SimulatedHosts;
import io.berth.scheduler.text.DerivedValue;
import java.io.UncheckedIOException;
import java.util.UUID;

/** Builds hosts, requests and options from relaxed JSON that names only the members that matter to a test. */
public final class Written {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_SINGLE_QUOTES, JsonReadFeature.ALLOW_UNQUOTED_FIELD_NAMES)
            .build();

    private Written() {}

    public static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** @param members without the braces; the host's name is h1 unless they name another */
    public static HostState host(String members) {
        ObjectNode node = (ObjectNode) json("{" + members + "}");
        if (!node.has("host")) {
            node.put("host", "h1");
        }
        return SimulatedHosts.read(node);
    }

    /** @param members without the braces; the flavor has 2 vCPUs, 1024 MiB and 10 GiB unless they name another */
    public static RequestSpec request(String members) {
        ObjectNode node = (ObjectNode) json("{" + members + "}");
        if (!node.has("flavor")) {
            node.set("flavor", json("{id: 7, name: 'small', vcpus: 2, memory_mb: 1024, root_gb: 10}"));
        }
        RequestSpecBody body = RequestSpecBody.read(new StrictObject(node, "$"), UUID::randomUUID);
        return switch (Constraints.derive(body.spec(), body.toDerive(), Options.DEFAULTS, () -> "r1")) {
            case DerivedValue.Value<RequestSpec>(RequestSpec spec) -> spec;
            case DerivedValue.Refused<RequestSpec>(String detail) -> throw new IllegalArgumentException(detail);
        };
    }

    /** @param members without the braces */
    public static Options options(String members) {
        return Options.parse(OptionSource.ofJson(json("{" + members + "}")));
    }
}
