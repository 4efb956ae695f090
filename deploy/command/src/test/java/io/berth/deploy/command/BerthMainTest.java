package io.berth.deploy.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.deploy.cloud.Access;
import io.berth.deploy.cloud.Service;
import io.berth.deploy.http.Gatekeeper;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the command line of {@code berth} in this JVM: arguments, errors, help, and the settings of a cloud. */
class BerthMainTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', value = {
        "                                             | berth: Missing required subcommand: why, why-not, how-many,"
                + " drain, what-if",
        "what                                         | berth: Unmatched argument at index 0",
        "imprt                                        | did you mean import?",
        "import --parralel 9                          | did you mean --parallel?",
        "ask                                          | berth ask: Missing required subcommand: why, why-not",
        "host                                         | berth host: Missing required subcommand: list, show",
        "host list --limit 0                          | berth host list: --limit must be at least 1, not 0",
        "instance list -f xml                         | xml",
        "decision show                                | NAME|UUID",
        "what-if 4:8192:40                            | berth what-if: a change is missing: --add",
        "how-many 4:99999999TiB                       | 4:99999999TiB: memory and disk must be at most 2147483647",
        "how-many 4:8GB                               | 4:8GB: must be a flavor such as 4:8192:40 or 4:8GiB:40",
        "ask how-many 4x8192                          | 4x8192: must be a flavor such as 4:8192:40",
        "ask why-not host-1                           | berth ask why-not: the flavor is missing: --flavor",
        "ask why-not --request /nowhere               | berth ask why-not: cannot read /nowhere",
        "ask drain                                    | HOST",
        "drain start                                  | berth drain start: Missing required parameter: 'NAME'",
        "drain start rack                             | berth drain start: name the hosts after NAME: exactly one"
                + " of HOST..., --zone, --aggregate, --trait",
        "drain start rack h --zone z                  | berth drain start: name the hosts after NAME: exactly one"
                + " of HOST..., --zone, --aggregate, --trait",
        "drain next                                   | berth drain next: Missing required parameter: 'NAME'",
        "ask drain h --scheduler here                 | berth ask drain: here: must be a URL such as",
        "ask drain h --zone z                         | --zone",
        "ask drain h --timeout 100                    | berth ask drain: --timeout must be 1 to 60 seconds, not 100",
        "ask how-many 1:1 --by rack                   | berth ask how-many: --by must be one of zone, aggregate,"
                + " cell, host, not rack",
        "ask drain h --ca /nowhere                    | CA certificates: /nowhere does not exist; name a PEM file",
        "ask drain h --cloud none                     | cloud none",
        "secret a/b --token                           | berth secret: a/b: a name must have 1 to 64 letters",
        "secret a --project p --system                | mutually exclusive",
        "audit --undo x                               | --undo",
        "conformance --what                           | run deploy/berth of a clone",
        "import                                       | berth import: --from is missing: the URL of a Placement",
        "import --from ftp://host                     | ftp://host: must be a URL such as",
        "import --from http://h --to http://h/        | the same",
        "import --from http://u:p@h                   | must be a URL such as",
        "import --from http://h --parallel 0          | --parallel must be 1 to 64, not 0",
        "import --from http://h --ca /nowhere         | CA certificates: /nowhere does not exist; name a PEM file",
        "import --from http://h --what                | --what",
        "exprt                                        | did you mean export?",
        "export                                       | berth export: --to is missing: the URL of a Placement",
        "export --from http://h --to http://h/        | the same",
        "export --to http://h --parallel 65           | --parallel must be 1 to 64, not 65",
        "export --to http://h --to-database db        | berth export: "})
    void refusesInvalidArgumentsInOneLine(String args, String message) {
        Said result = Said.by(args == null ? new String[0] : args.split(" "));
        assertThat(result.status()).as(result.err()).isEqualTo(2);
        assertThat(result.err()).startsWith("berth").contains(message).endsWith(" (try --help)\n").hasLineCount(1);
        assertThat(result.out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"import --from", "export --to http://127.0.0.1:1 --from", "ask how-many 1:1 --scheduler",
        "ask why 33333333-3333-4333-8333-333333333333"
                + " --scheduler", "ask drain host-1 --scheduler", "ask shadow --scheduler",
        "ask why-not --flavor 1:1 --timeout 5 --scheduler", "audit --placement"})
    void reportsARefusedConnectionInOneLine(String args) throws Exception {
        int closed;
        try (var socket = new ServerSocket(0)) {
            closed = socket.getLocalPort();
        }
        Said result = Said.by((args + " http://127.0.0.1:" + closed).split(" "));
        assertThat(result.status()).as(result.err()).isEqualTo(1);
        assertThat(result.err()).hasLineCount(1)
                .contains("http://127.0.0.1:" + closed + "/", ": cannot connect;");
    }

    @Test
    void namesTheFileThatCannotBeReadOrWritten(@TempDir Path folder) throws Exception {
        String latin = Files.write(folder.resolve("latin"), new byte[] {'#', (byte) 0xe9}).toString();
        Path journal = folder.resolve("journal");
        Files.createSymbolicLink(folder.resolve("journal.new"), Path.of("/dev/full"));
        assertThat(List.of(
                Said.by("audit", "--known-consumers", "/nowhere"),
                Said.by("audit", "--known-consumers", latin),
                Said.by("audit", "--known-consumers", "/dev/null"),
                Said.by("ask", "why-not", "--request", latin),
                Said.by("import", "--from", "http://h", "--to", "http://g", "--journal", journal.toString())))
                .allSatisfy(result -> assertThat(result.status()).isEqualTo(2))
                .extracting(Said::err)
                .containsExactly(
                        "berth audit: cannot read /nowhere: name a file of text with a uuid a line (try --help)\n",
                        "berth audit: cannot read " + latin + ": name a file of text with a uuid a line (try --help)\n",
                        "berth audit: /dev/null names no consumer: all consumers would be unknown (try --help)\n",
                        "berth ask why-not: cannot read " + latin + ": name a file of JSON in UTF-8 (try --help)\n",
                        "berth import: cannot read or write " + journal
                                + ": name another file with --journal (try --help)\n");
    }

    @Test
    void stripsATrailingLineBreakFromATokenAndNeverPrintsTheToken() throws Exception {
        int closed;
        try (var socket = new ServerSocket(0)) {
            closed = socket.getLocalPort();
        }
        Said accepted = Said.by("import", "--from", "http://127.0.0.1:" + closed, "--from-token", "s3cret\r\n");
        assertThat(accepted.err()).contains(": cannot connect; check the URL").doesNotContain("s3cret");
        Said refused =
                Said.by("import", "--from", "http://127.0.0.1:" + closed, "--from-token", "s3cret\nof two lines");
        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.err()).hasLineCount(1).contains("x-auth-token: the value has a line break")
                .doesNotContain("s3cret");
    }

    @Test
    void printsNoPasswordOfACloudsFileThatIsInvalidYaml(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("clouds.yaml"), "clouds:\n  c:\n    password: s3cret: x\n");
        assertThatThrownBy(() -> Access.of("c", null, null, Map.of("OS_CLIENT_CONFIG_FILE", file.toString())))
                .hasMessageContaining("cannot read " + file + ": line 3: ")
                .hasMessageNotContaining("s3cret");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "clouds:                                                              | has no cloud: there is nothing below"
                + " a member clouds",
        "clouds: {c: }                                                        | has no settings for cloud c: add auth"
                + " below it",
        "clouds: {b: {}, d: {}}                                               | has no cloud c, but b, d",
        "clouds: {c: {auth: {auth_url: 'keystone:5000', user_id: u, password: p}}} | auth_url keystone:5000: must"
                + " be a URL"
                + " such as https://host:5000/v3 (cloud c of"})
    void reportsWhatIsWrongWithACloudsFile(String text, String message, @TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("clouds.yaml"), text);
        assertThatThrownBy(() -> Access.of("c", null, null, Map.of("OS_CLIENT_CONFIG_FILE", file.toString())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message).hasMessageContaining(file.toString());
    }

    @Test
    void reportsAnUnknownHostName() {
        Said result = Said.by("import", "--from", "http://" + "h".repeat(64) + ".invalid");
        assertThat(result.err()).hasLineCount(1).endsWith("/: no host has this name\n");
        assertThat(result.status()).isEqualTo(1);
    }

    /** Not every command has an option for every URL, but every command reads these two settings. */
    @Test
    void advisesEndpointOverridesIfTheCatalogLacksAService(@TempDir Path folder) throws Exception {
        try (var keystone = Gatekeeper.before("http://127.0.0.1:1", 1, _ -> Gatekeeper.Fate.ANSWERED)) {
            Path file = Files.writeString(folder.resolve("clouds.yaml"),
                    "clouds:\n  c:\n" + keystone.cloud().replace("region_name: here", "region_name: nowhere"));
            Access access = Access.of("c", null, null, Map.of("OS_CLIENT_CONFIG_FILE", file.toString()));
            assertThatThrownBy(() -> access.client(Service.PLACEMENT, null))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(
                            "no endpoint of type placement in nowhere: set OS_PLACEMENT_ENDPOINT_OVERRIDE,"
                                    + " or placement_endpoint_override in clouds.yaml");
        }
    }

    /** Otherwise an import would write to and prune the Placement of this machine. */
    @ParameterizedTest
    @ValueSource(
            strings = {"auth: {username: u, password: p}", "auth: {application_credential_id: a}", "region_name: r"})
    void neverDefaultsToThisMachineIfAuthUrlIsMissing(String cloud, @TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("clouds.yaml"), "clouds:\n  c:\n    " + cloud + "\n");
        assertThatThrownBy(() -> Access.of("c", null, null, Map.of("OS_CLIENT_CONFIG_FILE", file.toString()))
                .client(Service.PLACEMENT, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("auth_url is missing");
        assertThatThrownBy(() -> Access.of(null, null, null, Map.of("OS_USERNAME", "u", "OS_PASSWORD", "p")))
                .hasMessageContaining("set OS_AUTH_URL");
    }

    @Test
    void advisesEndpointOverridesForACloudWithoutKeystone(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(
                folder.resolve("clouds.yaml"), "clouds:\n  c: {auth_type: none, endpoint: 'http://h'}\n");
        Access access = Access.of("c", null, null, Map.of("OS_CLIENT_CONFIG_FILE", file.toString()));
        assertThat(access.client(Service.PLACEMENT, null).endpoint()).hasToString("http://h");
        assertThatThrownBy(() -> access.client(Service.SCHEDULER, null))
                .hasMessageStartingWith(
                        "scheduler_endpoint_override is missing: set scheduler_endpoint_override in clouds.yaml");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "region_name: here                   |           | http",
        "region_name: elsewhere              |           | http://127.0.0.1:1",
        "regions: [elsewhere, here]          |           | http://127.0.0.1:1",
        "regions: [{name: elsewhere}]        |           | http://127.0.0.1:1",
        "region-name: elsewhere              |           | http://127.0.0.1:1",
        "regions: [here, elsewhere]          | elsewhere | http://127.0.0.1:1",
        "regions: [here]                     | elsewhere | OS_REGION_NAME=elsewhere is no region of cloud c (here)",
        "region_name: here                   | elsewhere | OS_REGION_NAME=elsewhere is no region of cloud c (here)",
        "interface: public                   | elsewhere | http://127.0.0.1:1",
        "'region_name: here\n    regions: []' | elsewhere | OS_REGION_NAME=elsewhere is no region of cloud c (here)",
        "interface: public                   |           | in each of elsewhere, here: set OS_REGION_NAME",
        "regions: [{name: here, auth: {}}]   |           | a region of cloud c has a name, and all else below values,"
                + " not [name, auth]"})
    void usesTheRegionOfTheEnvironmentOrCloudsYaml(
            String settings, String variable, String expected, @TempDir Path folder) throws Exception {
        try (var keystone = Gatekeeper.before("http://127.0.0.1:1", 1, _ -> Gatekeeper.Fate.ANSWERED)) {
            Path file = Files.writeString(folder.resolve("clouds.yaml"),
                    "clouds:\n  c:\n" + keystone.cloud().replace("region_name: here", settings));
            String found;
            try {
                Access access = Access.of("c", null, null, Map.of(
                        "OS_CLIENT_CONFIG_FILE", file.toString(), "OS_REGION_NAME", variable == null ? "" : variable));
                found = access.client(Service.PLACEMENT, null).endpoint().toString();
            } catch (IllegalArgumentException refused) {
                found = refused.getMessage();
            }
            assertThat(found).contains(expected.equals("http") ? keystone.url() : expected);
        }
    }

    @Test
    void valuesOfARegionOverrideThoseOfItsCloud(@TempDir Path folder) throws Exception {
        try (var keystone = Gatekeeper.before("http://127.0.0.1:1", 1, _ -> Gatekeeper.Fate.ANSWERED)) {
            String regions = """
                    interface: admin
                        regions:
                        - name: elsewhere
                          values: {interface: none}
                        - name: here
                          values: {interface: public, auth: {auth_url: '%s', password: s3cret}}""".formatted(keystone.url());
            Path file = Files.writeString(folder.resolve("clouds.yaml"), "clouds:\n  c:\n" + keystone.cloud()
                    .replace(keystone.url(), "http://127.0.0.1:1")
                    .replace("s3cret", "other")
                    .replace("region_name: here", regions));
            Access access = Access.of("c", null, null,
                    Map.of("OS_CLIENT_CONFIG_FILE", file.toString(), "OS_REGION_NAME", "here"));
            assertThat(access.client(Service.PLACEMENT, null).endpoint()).hasToString(keystone.url());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "username: u                                                       | {'name':'Default'} | ",
        "username: u, project_name: p                                      | {'name':'Default'} |"
                + " {'project':{'name':'p','domain':{'name':'Default'}}}",
        "username: u, project_name: p, user_domain_id: u, project_domain_id: q | {'id':'u'}   |"
                + " {'project':{'name':'p','domain':{'id':'q'}}}",
        "username: u, project_name: p, user_domain_name: U, project_domain_name: Q | {'name':'U'} |"
                + " {'project':{'name':'p','domain':{'name':'Q'}}}",
        "username: u, tenant_name: p, domain_id: d                         | {'id':'d'}         |"
                + " {'project':{'name':'p','domain':{'id':'d'}}}",
        "username: u, project_name: p, domain_name: D                      | {'name':'D'}       |"
                + " {'project':{'name':'p','domain':{'name':'D'}}}",
        "username: u, project_name: p, default_domain_id: e                | {'id':'e'}         |"
                + " {'project':{'name':'p','domain':{'id':'e'}}}",
        "username: u, project_name: p, default_domain: e                   | {'id':'e'}         |"
                + " {'project':{'name':'p','domain':{'id':'e'}}}",
        "username: u, project_name: p, default_domain_name: E              | {'name':'E'}       |"
                + " {'project':{'name':'p','domain':{'name':'E'}}}",
        "username: u, project_name: p, user_domain_name: U, default_domain: e | {'name':'U'}    |"
                + " {'project':{'name':'p','domain':{'id':'e'}}}",
        "username: u, project_id: p, user_domain_name: U                   | {'name':'U'}       |"
                + " {'project':{'id':'p'}}",
        "username: u, user_domain_id: u, domain_id: d                      | {'id':'u'}         |"
                + " {'domain':{'id':'d'}}",
        "username: u, domain_name: D                                       | {'name':'Default'} |"
                + " {'domain':{'name':'D'}}",
        "username: u, system_scope: all, user_domain_name: U               | {'name':'U'}       |"
                + " {'system':{'all':true}}",
        "user_id: i, project_id: p                                         |                    |"
                + " {'project':{'id':'p'}}"})
    void logsInWithTheConfiguredDomainsAndScope(String settings, String domain, String scope, @TempDir Path folder)
            throws Exception {
        try (var keystone = Gatekeeper.before("http://127.0.0.1:1", 1, _ -> Gatekeeper.Fate.ANSWERED)) {
            Path file = Files.writeString(folder.resolve("clouds.yaml"), """
                    clouds: {c: {region_name: here, auth: {auth_url: '%s', password: s3cret, %s}}}"""
                    .formatted(keystone.url(), settings));
            Access.of("c", null, null, Map.of("OS_CLIENT_CONFIG_FILE", file.toString()))
                    .client(Service.PLACEMENT, null);
            JsonNode auth = new ObjectMapper().readTree(keystone.logins().getFirst()).path("auth");
            assertThat(auth.at("/identity/password/user/domain").toString().replace('"', '\''))
                    .isEqualTo(Objects.toString(domain, ""));
            assertThat(auth.path("scope").toString().replace('"', '\'')).isEqualTo(Objects.toString(scope, ""));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "why", "why-not", "how-many", "drain", "drain start", "drain next", "drain status",
        "drain stop", "what-if", "shadow", "ask", "ask why", "host", "host list", "host show", "decision list",
        "instance show", "group list", "status", "version", "import", "export", "audit", "secret",
        "demo", "conformance", "completion"})
    void helpFitsInLessThan100Columns(String command) {
        Said result = Said.by((command + " --help").strip().split(" "));
        assertThat(result.status()).as(result.err()).isZero();
        assertThat(result.out()).contains("Usage: berth " + command).contains("--help");
        assertThat(result.out().lines()).allMatch(line -> line.length() < 100);
    }

    /** Users copy these words from a terminal of eighty columns. */
    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "how-many, hw:cpu_policy=dedicated;",
        "ask how-many, FLAVOR...",
        "ask how-many, [NAME=]VCPUS:MB[:GB]",
        "ask why-not, trait:CUSTOM_GPU=required",
        "import, mysql+pymysql://user:password@host/placement",
        "import, (~/.local/state/berth/import-URL)",
        "export, (~/.local/state/berth/export-URL)",
        "export, mysql+pymysql://user:password@host/placement",
        "import, clouds.yaml",
        "ask shadow, 2026-01-31T12:00:00Z",
        "audit, deploy/README.md"})
    void helpBreaksNoWordAcrossLines(String command, String word) {
        String help = Said.by((command + " --help").split(" ")).out();
        assertThat(help).doesNotContain("\ufeff").contains(word);
        assertThat(help.lines()).noneMatch(line -> line.matches(".*\\bclouds\\.$"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ask ", "host "})
    void helpDescribesEveryCommandThatItLists(String command) {
        assertThat(Said.by((command + "--help").split(" ")).out().lines()
                .dropWhile(line -> !line.equals("Commands:"))
                .skip(1)
                .takeWhile(line -> !line.isEmpty()))
                .hasSizeGreaterThan(1)
                .allMatch(line -> line.matches(" +[a-z-]+ +\\S+ \\S.*"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"--version", "version"})
    void printsItsVersion(String versionOption) {
        assertThat(Said.by(versionOption).out()).matches("berth \\d+\\.\\d+.*\n");
    }

    @Test
    void listsAnalysisCommandsWithoutTheOldPrefixAsk() {
        assertThat(Said.by("--help").out()).contains("  why-not ", "  what-if ").doesNotContain("  ask ");
    }

    @Test
    void printsACompletionScript() {
        assertThat(Said.by("completion").out()).contains("why-not", "--flavor");
    }

    @Test
    void printsAnEntryForASecretsFile() {
        Said result = Said.by("secret", "nova", "--project", "service", "--roles", "service,reader", "--token");
        assertThat(result.out()).matches("nova \\$pbkdf2-sha512\\$i=\\d+\\S+ service service,reader\n");
        assertThat(result.err()).matches("token: nova\\.\\S{43}\n");
    }
}
