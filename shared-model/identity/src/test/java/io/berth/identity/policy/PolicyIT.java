package io.berth.identity.policy;

import static io.berth.deploy.process.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.deploy.process.LogLines;
import io.berth.identity.Caller;
import io.berth.identity.Configured;
import io.berth.identity.Edits;
import io.berth.identity.WatchedFile;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the effect of policy options and policy files on permissions. */
class PolicyIT {
    private static final Set<String> READER = Set.of("reader");
    private static final Set<String> ADMIN = Set.of("admin");

    private final Vertx vertx = Vertx.vertx();
    private final Queue<String> changes = new ConcurrentLinkedQueue<>();
    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private Policy policy(Map<String, String> options) {
        List<DefaultRule> rules = List.of(
                DefaultRule.of("api:list", "role:reader"), new DefaultRule("api:change", "role:service", "role:admin"));
        return new Policy(
                () -> rules, Configured.of(PolicyConfig.class, options), vertx,
                (what, old, now) -> changes.add(what + ": " + old + " -> " + now));
    }

    private static Caller inProject(Set<String> roles) {
        return Caller.ofProject("u", "p", roles);
    }

    @Test
    void refusesSystemAndDomainCallersIfTheScopeIsEnforced() {
        Policy strict = policy(Map.of());
        Policy lenient = policy(Map.of("berth.policy.enforce-scope", "false"));
        assertThat(strict.allows("api:list", inProject(READER))).isTrue();
        for (Caller caller : List.of(Caller.ofSystem("u", READER), new Caller("u", null, "d", READER, false))) {
            assertThat(strict.allows("api:list", caller)).isFalse();
            assertThat(strict.allows("api:list", caller, "p")).isFalse();
            assertThat(lenient.allows("api:list", caller)).isTrue();
            assertThat(lenient.allows("api:list", caller, "p")).isTrue();
            assertThat(lenient.allows("api:change", caller)).isFalse();
        }
    }

    @Test
    void oldDefaultsDoNotApplyOnceNewDefaultsAreEnforced() throws IOException {
        Path file = Files.writeString(folder.resolve("unrelated.yaml"), "mine: role:auditor\n");
        for (Map<String, String> stated : List.of(Map.<String, String>of(), Map.of("berth.policy.file", file.toString()))) {
            Policy both = policy(stated);
            Map<String, String> enforced = new HashMap<>(stated);
            enforced.put("berth.policy.enforce-new-defaults", "true");
            Policy alone = policy(enforced);
            assertThat(both.allows("api:change", inProject(ADMIN))).isTrue();
            assertThat(alone.allows("api:change", inProject(ADMIN))).isFalse();
            assertThat(alone.allows("api:change", inProject(Set.of("service")))).isTrue();
        }
    }

    /**
     * The file has what deployments use and oslo.policy accepts: names of other releases, and a word without its kind.
     */
    @Test
    void acceptsFilesThatOsloPolicyAcceptsAndLogsTheirFaults() throws IOException {
        Path file = Files.writeString(folder.resolve("policy.yaml"), """
                context_is_admin: role:cloud_admin
                # The kind is missing: only the second half holds.
                viewers: context_is_admin or role:auditor
                admin_or_owner: [["rule:context_is_admin"], ["project_id:%(project_id)s", "role:owner"]]
                default: rule:admin_or_owner
                "api:list": rule:viewers
                "api:list:gone": rule:viewers
                "api:change": rule:admins
                """);
        Map<String, String> options = Map.of("berth.policy.file", file.toString());
        try (LogLines log = LogLines.of(Policy.class)) {
            Policy policy = policy(options);
            assertThat(policy.allows("api:list", inProject(Set.of("auditor")))).isTrue();
            assertThat(policy.allows("api:list", inProject(Set.of("cloud_admin")))).isFalse();
            assertThat(policy.allows("api:change", inProject(Set.of("owner")))).isTrue();
            assertThat(policy.allows("api:change", inProject(ADMIN))).isFalse();
            String start = "berth.policy.file=" + file + ": ";
            assertThat(log.lines()).containsExactly(
                    start + "rule viewers, column 1: 'context_is_admin': must be KIND:VALUE, @ or !;"
                            + " it never holds",
                    start + "rule api:list:gone: there is no such operation; it is ignored",
                    start + "rule api:change, column 6: there is no rule admins; it is replaced by rule default");
        }
        assertThatThrownBy(() -> policy(Map.of("berth.policy.file", file.toString(), "berth.policy.strict", "true")))
                .hasMessageContaining("rule viewers, column 1: 'context_is_admin': must be KIND");
    }

    @Test
    void keepsThePreviousRulesIfTheFileBecomesInvalid() throws IOException {
        Path file = Files.writeString(folder.resolve("policy.yaml"), "\"api:list\": role:auditor\n");
        Policy policy = policy(Map.of("berth.policy.file", file.toString(), "berth.policy.strict", "true"));
        Caller auditor = inProject(Set.of("auditor"));
        assertThat(policy.allows("api:list", auditor)).isTrue();
        assertThat(policy.allows("api:list", inProject(READER))).isFalse();
        try (LogLines log = LogLines.of(WatchedFile.class)) {
            Map<String, String> wrong = Map.of(
                    "\"api:lists\": role:reader", "rule api:lists: there is no such operation",
                    "\"api:list\": rol:reader", "rule api:list, column 1: 'rol': must be one of rule, role",
                    "\"api:list\": rule:readers", "rule api:list, column 6: there is no rule readers");
            for (var each : wrong.entrySet()) {
                Edits.replace(file, "\"api:change\": \"@\"\n" + each.getKey() + "\n");
                eventually(() -> assertThat(log.lines()).anyMatch(
                        line -> line.startsWith("berth.policy.file=" + file + ": " + each.getValue())));
                assertThat(policy.allows("api:list", auditor)).isTrue();
                assertThat(policy.allows("api:list", inProject(READER))).isFalse();
                assertThat(policy.allows("api:change", auditor)).isFalse();
            }
        }
        Edits.replace(file, "\"api:list\": role:reader\n");
        eventually(() -> assertThat(policy.allows("api:list", inProject(READER))).isTrue());
        assertThat(policy.allows("api:list", auditor)).isFalse();
        assertThat(changes).containsExactly(
                "rule api:list of the policy file " + file + ": \"role:auditor\" -> \"role:reader\"");
    }
}
