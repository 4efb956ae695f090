package io.berth.scheduler.host.registry.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.host.registry.RecordCollection;
import io.berth.scheduler.host.registry.RegistryRecord;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.json.StrictObject;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the rules for names of hosts against a small registry. */
class HostNameRulesTest {
    private static final String NODE = "11111111-1111-4111-8111-111111111111";
    private static final String EMPTY_NODE = "22222222-2222-4222-8222-222222222222";
    private static final String IRONIC = "33333333-3333-4333-8333-333333333333";
    private static final String OTHER = "44444444-4444-4444-8444-444444444444";
    private static final RegistrySnapshot REGISTRY = new Registries()
            .computeNode(NODE, "{\"host\": \"h1\"}")
            .computeNode(EMPTY_NODE, "{\"host\": \"h2\"}")
            .computeNode(IRONIC, "{\"host\": \"h3\", \"nodename\": \"metal\", \"hypervisor_type\": \"ironic\"}")
            .service(OTHER, "{\"host\": \"s1\"}", 0)
            .aggregate(OTHER, "{\"name\": \"a\", \"hosts\": [\"H2\"]}")
            .instance("55555555-5555-4555-8555-555555555555", "{\"host\": \"h1\"}")
            .instance("66666666-6666-4666-8666-666666666666", "{\"host\": \"h3\", \"nodename\": \"metal\"}")
            .snapshot();

    private static RegistryRecord read(RecordCollection collection, String uuid, String json) {
        byte[] body = json.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
        return collection.read(UUID.fromString(uuid), new StrictObject(JsonBody.parse(body), "$"));
    }

    private static void check(RegistryRecord wanted, String breach) {
        String found = HostNameRules.findBreach(wanted, REGISTRY);
        if (breach == null) {
            assertThat(found).isNull();
        } else {
            assertThat(found).contains(breach);
        }
    }

    @ParameterizedTest(name = "{0}: {1} as {2} -> {3}")
    @CsvSource(delimiter = '|', value = {
        "the same report again                | NODE       | {'host': 'h1'}                      |",
        "another host, with instances         | NODE       | {'host': 'h9'}                      | is host h1 and has"
                + " 1 instances, which would be on no host if it were host h9",
        "another case alone, with instances   | NODE       | {'host': 'H1'}                      | if it were host H1",
        "another node, with instances         | NODE       | {'host': 'h1', 'nodename': 'fq.h1'} | is node h1 of host"
                + " h1",
        "another host, without instances      | EMPTY_NODE | {'host': 'h9'}                      |",
        "another service of an ironic node    | IRONIC     | {'host': 'h1', 'nodename': 'metal', 'hypervisor_type':"
                + " 'ironic'} |",
        "a new host                           | OTHER      | {'host': 'h9'}                      |",
        "a new host near a service            | OTHER      | {'host': 'S1'}                      | names host S1,"
                + " which differs from the registered host s1 in case alone; did you mean s1?",
        "renamed to a name near a service     | EMPTY_NODE | {'host': 'S1'}                      | did you mean s1",
        "the host of a service                | OTHER      | {'host': 's1'}                      |"})
    void holdsForComputeNodes(String what, String node, String json, String breach) {
        String uuid = switch (node) {
            case "NODE" -> NODE;
            case "EMPTY_NODE" -> EMPTY_NODE;
            case "IRONIC" -> IRONIC;
            default -> "77777777-7777-4777-8777-777777777777";
        };
        check(read(RecordCollection.COMPUTE_NODES, uuid, json), breach);
    }

    @ParameterizedTest(name = "service of {0} -> {1}")
    @CsvSource({"h1,", "H1, did you mean h1", "h9,", "S1,"})
    void holdsForServices(String host, String breach) {
        check(read(RecordCollection.SERVICES, NODE, "{'host': '" + host + "'}"), breach);
    }

    @ParameterizedTest(name = "members {0} -> {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "'h1', 's1', 'h9' |",
        "'h1', 'H2' |",
        "'h1', 'H1' | aggregate a names host H1",
        "'S1' | did you mean s1"})
    void holdsForNewMembersOfAggregates(String hosts, String breach) {
        check(read(RecordCollection.HOST_AGGREGATES, OTHER, "{'name': 'a', 'hosts': [" + hosts + "]}"), breach);
    }
}
