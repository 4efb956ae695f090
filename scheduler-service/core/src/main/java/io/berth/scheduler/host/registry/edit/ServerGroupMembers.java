package io.berth.scheduler.host.registry.edit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.http.JsonBody;
import io.smallrye.mutiny.Uni;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.hibernate.reactive.mutiny.Mutiny;

/**
 * Reads and writes the list {@code members} of server groups, which is stored in the table
 * {@code server_group_members}. In the body that is stored, the list is empty or missing.
 */
final class ServerGroupMembers {
    private static final String MEMBERS = "members";
    /** Characters of a uuid in a JSON list, with its quotes and comma. */
    private static final int UUID_CHARACTERS = 39;

    /**
     * An HQL term that adds the characters of a group's list of members to the characters of its body. Counts at most
     * as many members as fill a page.
     */
    static final String AND_LENGTH = """
             + %d * cast(sql('(SELECT count(*) FROM (
                    SELECT FROM server_group_members WHERE server_group = ? LIMIT %d) AS counted)', r.uuid) as Long)
            """.formatted(UUID_CHARACTERS, RegistryStore.PAGE_CHARACTERS / UUID_CHARACTERS);

    /**
     * Params: {@code groups}, uuids separated by commas. Returns rows {@code [group, member]} as text, in the order in
     * which members joined.
     */
    private static final String LIST = """
            SELECT cast(server_group AS text), cast(instance AS text) FROM server_group_members
             WHERE server_group = ANY(cast(string_to_array(cast(:groups AS text), ',') AS uuid[]))
             ORDER BY place
            """;

    /**
     * Replaces the members of a group. Members that stay keep their place in the order; new ones follow in the order of
     * the list. Params: {@code group}, a uuid; {@code members}, uuids separated by commas, without duplicates.
     */
    private static final String SET = """
            WITH listed AS (
                SELECT cast(member AS uuid) AS instance, place
                  FROM unnest(string_to_array(cast(:members AS text), ',')) WITH ORDINALITY AS list(member, place)),
            gone AS (
                DELETE FROM server_group_members
                 WHERE server_group = cast(:group AS uuid) AND instance NOT IN (SELECT instance FROM listed))
            INSERT INTO server_group_members (server_group, instance)
            SELECT cast(:group AS uuid), instance FROM listed ORDER BY place
            ON CONFLICT DO NOTHING
            """;

    private ServerGroupMembers() {}

    /** Returns the body with an empty list of members; a body without the list stays without. */
    static String without(String body) {
        ObjectNode json = json(body);
        if (json.has(MEMBERS)) {
            json.putArray(MEMBERS);
        }
        return json.toString();
    }

    private static ObjectNode json(String body) {
        return (ObjectNode) JsonBody.parse(body.getBytes(StandardCharsets.UTF_8));
    }

    /** Replaces the stored members of a group by those in the body; by none if the body has no list. */
    static Uni<Void> set(UUID group, String body, Mutiny.Session session) {
        Set<String> members = new LinkedHashSet<>();
        json(body).path(MEMBERS).forEach(member -> members.add(member.textValue().toLowerCase(Locale.ROOT)));
        return session.createNativeQuery(SET)
                .setParameter("group", group.toString())
                .setParameter(MEMBERS, String.join(",", members))
                .executeUpdate()
                .replaceWithVoid();
    }

    /** Adds the stored members to the bodies of groups. A group without members and without a list gets no list. */
    static Uni<List<StoredRecord>> addedTo(List<StoredRecord> records, Mutiny.Session session) {
        return session.createNativeQuery(LIST, Object[].class)
                .setParameter("groups", String.join(",", records.stream().map(each -> each.uuid().toString()).toList()))
                .getResultList()
                .map(rows -> {
                    Map<String, List<String>> byGroup = new HashMap<>();
                    rows.forEach(row -> byGroup.computeIfAbsent((String) row[0], _ -> new ArrayList<>())
                            .add((String) row[1]));
                    return records.stream()
                            .map(each -> with(each, byGroup.getOrDefault(each.uuid().toString(), List.of())))
                            .toList();
                });
    }

    private static StoredRecord with(StoredRecord stored, List<String> members) {
        ObjectNode body = json(stored.body());
        if (body.has(MEMBERS) || !members.isEmpty()) {
            body.set(MEMBERS, JsonNodeFactory.instance.arrayNode().addAll(
                    members.stream().map(JsonNodeFactory.instance::textNode).toList()));
        }
        return new StoredRecord(stored.uuid(), stored.version(), body.toString());
    }
}
