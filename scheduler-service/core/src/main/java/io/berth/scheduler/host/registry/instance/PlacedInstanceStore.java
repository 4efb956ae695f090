package io.berth.scheduler.host.registry.instance;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.RunningInstance;
import io.berth.scheduler.request.InstanceGroup;
import io.berth.scheduler.request.RequestSpec;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * Renders the registrations of the instances that a request placed. Stores them for requests without claims; for
 * requests with claims, the statement that completes the request's record stores them.
 */
@Singleton
public class PlacedInstanceStore {
    /**
     * Registers instances, which also join a server group. Params: 1 instance uuids, 2 their bodies as JSON text in the
     * same order, 3 uuid of the server group or null, 4 the policy and 5 the maximum members per host, which both count
     * only if the group is not registered, or null.
     */
    static final String ADD = """
            WITH %s
            %s FROM unnest($1::uuid[], $2::text[]) AS placed(uuid, body)
            %s
            """.formatted(
            GroupMembershipSql.join(
                    "SELECT $3, member, $4, $5 FROM unnest($1::uuid[]) AS member WHERE $3::uuid IS NOT NULL"),
            InstanceSql.insertUnverified("uuid", "cast(body AS jsonb)"), InstanceSql.orReplace("excluded.body"));

    private final Pool pool;

    PlacedInstanceStore(@ReactiveDataSource("decisions") Pool pool) {
        this.pool = pool;
    }

    /**
     * Stores the registrations.
     *
     * @param hosts the host of each instance, in the order of the request's instance uuids
     */
    public Uni<Void> add(RequestSpec spec, List<HostState> hosts) {
        UUID[] uuids = spec.instanceUuids().stream().map(UUID::fromString).toArray(UUID[]::new);
        String[] bodies = bodies(spec, hosts).toArray(String[]::new);
        InstanceGroup group = spec.instanceGroup();
        return pool.preparedQuery(ADD)
                .execute(Tuple.of(
                        uuids,
                        bodies,
                        group == null ? null : group.findUuid(),
                        group == null ? null : group.policy(),
                        group == null ? null : group.maxServerPerHost()))
                .replaceWithVoid();
    }

    /** Returns the registration, as JSON text, of the instance of a request for one instance. */
    public static String body(RequestSpec spec, HostState host) {
        return bodies(spec, List.of(host)).getFirst();
    }

    /**
     * Returns the registrations of all instances of a request as JSON text, in the order of the instances.
     *
     * @param hosts the host of each instance
     */
    public static List<String> bodies(RequestSpec spec, List<HostState> hosts) {
        List<String> names = spec.names().ofInstances(hosts.size());
        return IntStream.range(0, hosts.size()).mapToObj(index -> body(spec, names.get(index), hosts.get(index)))
                .toList();
    }

    private static String body(RequestSpec spec, @Nullable String name, HostState host) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("host", host.host());
        body.put("nodename", host.nodename());
        put(body, "name", name);
        put(body, "project_id", spec.projectId());
        put(body, "project_name", spec.names().project());
        put(body, "user_name", spec.names().user());
        put(body, "flavor_name", spec.flavor().name());
        if (spec.flavor().id() != null) {
            body.put("instance_type_id", spec.flavor().id());
        }
        if (spec.image() != null) {
            ObjectNode properties = body.putObject("image_properties");
            spec.image().properties().forEach((property, value) -> putProperty(properties, property, value));
        }
        if (spec.schedulerHints().list(RunningInstance.PINNED).stream().anyMatch(RunningInstance::saysPinned)) {
            body.putObject("metadata").put(RunningInstance.PINNED, "true");
        }
        return body.toString();
    }

    private static void put(ObjectNode body, String member, @Nullable String text) {
        if (text != null) {
            body.put(member, text);
        }
    }

    private static void putProperty(ObjectNode properties, String name, Object value) {
        switch (value) {
            case Boolean flag -> properties.put(name, flag);
            case Integer number -> properties.put(name, number);
            case Long number -> properties.put(name, number);
            case Number number -> properties.put(name, number.doubleValue());
            case null -> properties.putNull(name);
            default -> properties.put(name, value.toString());
        }
    }
}
