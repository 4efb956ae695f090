package io.berth.scheduler.host.registry;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** Writes the instances of a request to the registry, on the hosts they were claimed on. */
@Singleton
public class PlacedInstanceStore {
    /**
     * Params: 1 instance uuids, 2 their bodies as JSON text, in the same order, 3 uuid of a server group or null. The
     * instances join the group if it is registered.
     */
    static final String ADD = """
            WITH joined AS (
                UPDATE server_groups
                   SET version = version + 1,
                       body = jsonb_set(body, '{members}', coalesce(body -> 'members', '[]') || (
                           SELECT coalesce(jsonb_agg(member), '[]')
                             FROM unnest($1::uuid[]) AS member
                            WHERE NOT coalesce(body -> 'members', '[]') ? member::text))
                 WHERE uuid = $3)
            INSERT INTO instances (uuid, body)
            SELECT uuid, cast(body AS jsonb) FROM unnest($1::uuid[], $2::text[]) AS placed(uuid, body)
            ON CONFLICT (uuid) DO UPDATE SET body = excluded.body, version = instances.version + 1
            """;

    /** Params: 1 instance uuids, each once, 2 their bodies as JSON text, in the same order. In the order of their locks. */
    static final String ADD_UNGROUPED = """
            INSERT INTO instances (uuid, body)
            SELECT uuid, cast(body AS jsonb) FROM unnest($1::uuid[], $2::text[]) AS placed(uuid, body)
             ORDER BY uuid
            ON CONFLICT (uuid) DO UPDATE SET body = excluded.body, version = instances.version + 1
            """;

    /** Params: 1 instance, 2 host, 3 node name or null. Zero rows: the instance is not registered. */
    static final String FOLLOW = """
            UPDATE instances
               SET body = body || jsonb_strip_nulls(jsonb_build_object('host', $2::text, 'nodename', $3::text)),
                   version = version + 1
             WHERE uuid = $1
            """;

    private final Pool pool;

    PlacedInstanceStore(Pool pool) {
        this.pool = pool;
    }

    /** Instances that join a group, if it is registered. */
    Uni<Void> add(PlacedInstances.Placed placed, UUID group) {
        return pool.preparedQuery(ADD).execute(Tuple.of(placed.uuids(), placed.bodies(), group)).replaceWithVoid();
    }

    /** Instances that join no group. No uuid may be there twice. */
    Uni<Void> add(List<PlacedInstances.Placed> requests) {
        UUID[] uuids = requests.stream().flatMap(each -> Stream.of(each.uuids())).toArray(UUID[]::new);
        String[] bodies = requests.stream().flatMap(each -> Stream.of(each.bodies())).toArray(String[]::new);
        return pool.preparedQuery(ADD_UNGROUPED).execute(Tuple.of(uuids, bodies)).replaceWithVoid();
    }

    /** An instance that is registered already is on another host now. */
    public Uni<Void> follow(UUID instance, String host, @Nullable String nodename) {
        return pool.preparedQuery(FOLLOW).execute(Tuple.of(instance, host, nodename)).replaceWithVoid();
    }

    /** The record of an instance of this request on this host, as JSON text. */
    public static String body(RequestSpec spec, HostState host) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put("host", host.host());
        body.put("nodename", host.nodename());
        if (spec.projectId() != null) {
            body.put("project_id", spec.projectId());
        }
        if (spec.flavor().id() != null) {
            body.put("instance_type_id", spec.flavor().id());
        }
        if (spec.image() != null) {
            ObjectNode properties = body.putObject("image_properties");
            spec.image().properties().forEach((name, value) -> put(properties, name, value));
        }
        return body.toString();
    }

    private static void put(ObjectNode properties, String name, Object value) {
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
