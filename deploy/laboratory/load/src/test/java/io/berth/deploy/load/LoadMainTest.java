package io.berth.deploy.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.deploy.load.fleet.Fleet;
import io.berth.deploy.load.floor.ConstantBodies;
import io.berth.deploy.load.http.Target;
import io.berth.deploy.load.report.WatchedProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Tests the options of the load generator. */
class LoadMainTest {
    private static final String URL = "http://127.0.0.1:9";

    @TempDir
    Path folder;

    /** Returns the settings for these arguments together with those that deploy/bench adds to every run. */
    private static Settings settings(String... args) {
        var all = new ArrayList<>(List.of("--constant-body=app", "--service-java-opts=-Xmx1g  -XX:MaxNewSize=128m "));
        all.addAll(List.of(args));
        return settingsOfAll(all.toArray(String[]::new));
    }

    private static Settings settingsOfAll(String... args) {
        var command = new LoadMain();
        new CommandLine(command).parseArgs(args);
        return command.settings();
    }

    @Test
    void measuresAThousandFlatHostsByDefault() {
        Settings settings = settings("--url", URL);
        assertThat(settings.placement()).isEqualTo(new Target("127.0.0.1", 9, "", "admin"));
        assertThat(settings.scheduler()).isNull();
        assertThat(settings.fleets()).containsExactly(Fleet.parse("flat:1000"));
        assertThat(settings.connections()).containsExactly(1, 8, 32);
        assertThat(settings.duration()).isEqualTo(Duration.ofSeconds(8));
        assertThat(settings.warmUp()).isEqualTo(Duration.ofSeconds(2));
        assertThat(settings.perSecond()).isZero();
        assertThat(settings.measuresFloors()).isTrue();
        assertThat(settings.constantBodies())
                .isEqualTo(new ConstantBodies(Path.of("app"), List.of("-Xmx1g", "-XX:MaxNewSize=128m")));
    }

    @Test
    void parsesEveryOption() {
        Settings settings = settings("--url=" + URL, "--scheduler-url", "http://localhost:10", "--token", "t",
                "--fleet", "flat:5000,nested:10", "--situations", "limit-10,schedule", "--connections", "4,16",
                "--seconds", "30", "--warm-up", "0", "--rate", "250.5", "--seed", "9", "--watch", "java=7,postgres=8",
                "--watch", "other=9", "--no-floors", "--keep", "--out", folder.resolve("f.json").toString());
        assertThat(settings.scheduler()).isEqualTo(new Target("localhost", 10, "", "t"));
        assertThat(settings.fleets()).containsExactly(Fleet.parse("flat:5000"), Fleet.parse("nested:10"));
        assertThat(settings.situations()).containsExactly("limit-10", "schedule");
        assertThat(settings.connections()).containsExactly(4, 16);
        assertThat(settings.warmUp()).isZero();
        assertThat(settings.perSecond()).isEqualTo(250.5);
        assertThat(settings.seed()).isEqualTo(9);
        assertThat(settings.watched()).containsExactly(
                new WatchedProcess("java", 7), new WatchedProcess("postgres", 8), new WatchedProcess("other", 9));
        assertThat(settings.measuresFloors()).isFalse();
        assertThat(settings.keepsFleet()).isTrue();
        assertThat(settings.describe()).containsEntry("loop", "open, 250.5 per second").doesNotContainValue("t");
    }

    @Test
    void theRequestMixUsesAFleetOfItsOwnSize() {
        Settings settings = settings("--url", URL, "--scheduler-url", "http://127.0.0.1:10",
                "--replicas-scheduler-url", "http://127.0.0.1:11",
                "--unrecorded-scheduler-url", "http://127.0.0.1:12", "--situations",
                "schedule-mix,schedule-mix-replicas");
        assertThat(settings.fleets()).containsExactly(Fleet.parse("flat:5000"));
        assertThat(settings.schedulerOfReplicas().port()).isEqualTo(11);
        assertThat(settings.schedulerWithoutRecords().port()).isEqualTo(12);
        assertThat(settings("--url", URL, "--situations", "limit-10,schedule-mix-replicas").fleets())
                .containsExactly(Fleet.parse("flat:1000"));
    }

    @Test
    void aShortRunMeasuresAllShapesOnceAndNoFloors() {
        Settings settings = settings("--url", URL, "--short");
        assertThat(settings.fleets()).containsExactly(
                Fleet.parse("nested:20"), Fleet.parse("wide:1"), Fleet.parse("flat:1000"));
        assertThat(settings.connections()).containsExactly(8);
        assertThat(settings.duration()).isEqualTo(Duration.ofSeconds(1));
        assertThat(settings.measuresFloors()).isFalse();
        assertThat(settings.situations()).contains("nested-granular", "wide-8x8", "schedule-mix", "schedule-unrecorded",
                "schedule-questioned", "shapes");
        assertThat(settings("--url", URL, "--short", "--situations", "limit-10").situations())
                .containsExactly("limit-10");
    }

    @Test
    void marksHaveTheirOwnFleetsAndDurations() {
        Path table = folder.resolve("marks.md");
        Settings settings =
                settings("--url", URL, "--marks", "--reference-p50", "1008.5", "--markdown", table.toString());
        assertThat(settings.duration()).isEqualTo(Duration.ofSeconds(8));
        assertThat(settings.warmUp()).isEqualTo(Duration.ofSeconds(8));
        assertThat(settings.referenceP50Ms()).isEqualTo(1008.5);
        assertThat(settings.marksTable()).isEqualTo(table);
        assertThat(settings.marks()).isEmpty();
        assertThat(settings("--url", URL).marksTable()).isNull();
        assertThat(settings("--url", URL, "--marks=questions,mix").marks()).containsExactly("questions", "mix");
    }

    @Test
    void requiresTheConstantBodyApplicationOnlyToMeasureFloors() {
        for (String measuring : List.of("--marks", "--keep")) {
            assertThatThrownBy(() -> settingsOfAll("--url", URL, measuring))
                    .hasMessage("--constant-body is missing: start deploy/bench, or add --no-floors");
        }
        assertThat(settingsOfAll("--url", URL, "--no-floors").constantBodies()).isNull();
        assertThat(settingsOfAll("--url", URL, "--short").constantBodies()).isNull();
        assertThat(settingsOfAll("--url", URL, "--constant-body", "app").constantBodies())
                .isEqualTo(new ConstantBodies(Path.of("app"), List.of()));
    }

    @Test
    void refusesRemoteTargetsUnlessAllowed() {
        assertThatThrownBy(() -> settings("--url", "http://192.0.2.1"))
                .hasMessage("http://192.0.2.1:80 is not on this machine; add --allow-remote to use it");
        assertThatThrownBy(() -> settings("--url", URL, "--scheduler-url", "http://192.0.2.1"))
                .hasMessageContaining("--allow-remote");
        assertThat(settings("--url", "http://192.0.2.1", "--allow-remote").placement().host()).isEqualTo("192.0.2.1");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', value = {
        "                                  | --url is missing",
        "--url http://localhost:1 --marks=x | --marks: x is unknown; the names are throughput, claims,"
                + " mixed, records, mix, questions",
        "--url x                           | not a URL of the form http://host:port: x",
        "--url http://[                    | not a URL: http://[",
        "--fleet round:5                   | no such shape of a fleet: round; there are flat, nested, wide",
        "--fleet flat                      | not a fleet of the form flat:5000: flat",
        "--fleet flat:0                    | a fleet has 1 to 200000 hosts, not 0",
        "--situations claim                | no such situation: claim; there are limit-10",
        "--situations schedule             | the situation schedule needs --scheduler-url",
        "--situations schedule-mix         | the situation schedule-mix needs --scheduler-url",
        "--replicas-scheduler-url http://127.0.0.1:9 | --replicas-scheduler-url needs --scheduler-url",
        "--situations wide-8x8             | none of these situations is about [flat:1000]",
        "--connections 0                   | --connections must be 1 to 1024, not 0",
        "--seconds 0                       | --seconds must be 1 to 3600, not 0",
        "--warm-up -1                      | --warm-up must be 0 to 3600, not -1",
        "--rate -5                         | --rate must be 0 to 100000, not -5",
        "--rate NaN                        | --rate must be 0 to 100000, not NaN",
        "--marks --connections 8           | --marks chooses fleets, situations, connections and rates itself",
        "--marks --reference-p50 -1        | --reference-p50 must be 0 to 600000, not -1",
        "--markdown x.md                   | --reference-p50 and --markdown need --marks",
        "--watch java                      | not of the form LABEL=PID: java",
        "--out /no/such/folder/file        | cannot write to the folder of /no/such/folder/file"})
    void refusesInvalidOptions(String args, String message) {
        String all = args == null ? "" : args.contains("--url") ? args : "--url " + URL + " " + args;
        assertThatThrownBy(() -> settings(all.isEmpty() ? new String[0] : all.split(" ")))
                .isInstanceOf(CommandLine.ParameterException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void exitStatusShowsSuccessUsageErrorsAndFailures() {
        String out = folder.resolve("f.json").toString();
        assertThat(LoadMain.run("--help")).isZero();
        assertThat(LoadMain.run("--nonsense")).isEqualTo(2);
        assertThat(LoadMain.run("--url", "http://192.0.2.1", "--out", out)).isEqualTo(2);
        // Nothing listens there.
        assertThat(LoadMain.run("--url", URL, "--short", "--out", out)).isEqualTo(1);
    }
}
