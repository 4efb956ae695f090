package io.berth.scheduler.api;

import static io.berth.deploy.process.Await.eventually;
import static io.berth.scheduler.api.Fleet.admin;
import static io.berth.scheduler.api.Fleet.instances;
import static io.berth.scheduler.api.Fleet.select;
import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Compares the metrics of both running services with the reference, the dashboard, the alert rules and the operator's
 * page.
 */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
@QuarkusTestResource(PackagedPlacement.class)
class MetricsIT {
    private static final Path ROOT = Path.of(System.getProperty("berth.root", ".."));
    private static final Path OBSERVABILITY = ROOT.resolve("deploy/observability");
    private static final Path PAGE = ROOT.resolve("scheduler-service/console/src/main/resources/page");
    private static final Path REFERENCE = ROOT.resolve("docs/reference/metrics.md");
    private static final Pattern UUID_LIKE = Pattern.compile("[0-9a-f]{8}-?[0-9a-f]{4}|CUSTOM_");
    private static final Pattern EXPRESSION = Pattern.compile("expr: (?:\\|\\n((?: {10,}.*\\n)+)|(.*))");
    /** Queries of the operator's page: its only quoted strings that apply functions to berth_ metrics. */
    private static final Pattern PAGE_QUERY = Pattern.compile("'([^'\\n]*\\(berth_[^'\\n]*)'");
    /** Labels of the capacity counts, whose values operators choose; there are at most a hundred watches. */
    private static final Set<String> NAMED_BY_OPERATORS = Set.of("watch", "zone");
    /** Labels that Prometheus adds to scraped metrics. */
    private static final Set<String> ADDED = Set.of("instance", "namespace", "job", "le");

    private final Fleet fleet = new Fleet();

    private Scrape scrapeAfterSomeRequests() {
        fleet.host("a", 4);
        select(fleet.body(instances(1), "")).then().statusCode(200);
        select(fleet.body(instances(1), "").replace("\"vcpus\": 1", "\"vcpus\": 900")).then().statusCode(409);
        admin().get("/v1/decisions/" + UUID.randomUUID()).then().statusCode(404);
        admin().get("/v1/nothing/" + UUID.randomUUID()).then().statusCode(404);
        given().get(PackagedPlacement.url() + "/resource_providers/" + UUID.randomUUID()).then().statusCode(401);
        admin().body("{\"request_spec\": " + fleet.spec(1, "") + "}").put("/v1/capacity/watches/small");
        eventually("the watch is counted", () -> metricsOf("").contains("berth_capacity_instances{"));
        return Scrape.of(metricsOf(""), metricsOf(PackagedPlacement.url()));
    }

    /** The watch must not affect other tests. */
    @AfterEach
    void forgetTheWatch() {
        admin().delete("/v1/capacity/watches/small");
    }

    private static String metricsOf(String service) {
        return given().get(service + "/q/metrics").then().statusCode(200).extract().asString();
    }

    /** {@code -Dberth.reference=write} rewrites the page. */
    @Test
    void theReferenceListsTheMetricsOfTheServices() throws IOException {
        Scrape both = scrapeAfterSomeRequests();
        String page = MetricsPage.of(Scrape.of(metricsOf("")), Scrape.of(metricsOf(PackagedPlacement.url())));
        if ("write".equals(System.getProperty("berth.reference"))) {
            Files.writeString(REFERENCE, page);
        }
        assertThat(both.families()).hasSizeGreaterThan(40)
                .allSatisfy((metric, labels) -> assertThat(page).contains("| `" + metric + "` |"));
        assertThat(Files.readString(REFERENCE)).as("-Dtest=MetricsIT -Dberth.reference=write writes it")
                .isEqualTo(page);
    }

    @Test
    void theDashboardTheRulesAndThePageQueryExistingMetrics() throws IOException {
        Scrape scrape = scrapeAfterSomeRequests();
        List<String> queries = new ArrayList<>();
        JsonNode dashboard = new ObjectMapper().readTree(OBSERVABILITY.resolve("dashboard.json").toFile());
        dashboard.findValues("expr").forEach(expression -> queries.add(expression.asText()));
        EXPRESSION.matcher(Files.readString(OBSERVABILITY.resolve("rules.yaml"))).results()
                .forEach(rule -> queries.add(rule.group(1) == null ? rule.group(2) : rule.group(1)));
        int others = queries.size();
        for (String page : List.of("capacity.js", "health.js")) {
            PAGE_QUERY.matcher(Files.readString(PAGE.resolve(page))).results()
                    .forEach(query -> queries.add(query.group(1)));
        }
        assertThat(queries).hasSizeGreaterThan(45).hasSizeGreaterThan(others + 2);
        Set<String> wrong = new LinkedHashSet<>();
        for (String text : queries) {
            PromQl query = PromQl.parse(text);
            assertThat(query.selectors()).as(text).isNotEmpty();
            for (PromQl.Selector selector : query.selectors()) {
                Set<String> labels = new TreeSet<>(query.groupedBy());
                labels.addAll(selector.labels());
                labels.removeAll(ADDED);
                labels.removeAll(scrape.labelsOf(selector.metric()));
                labels.forEach(label -> wrong.add(selector.metric() + " has no label " + label));
                if (!scrape.samples().containsKey(selector.metric())) {
                    wrong.add("there is no " + selector.metric());
                }
                selector.equal().forEach((label, value) -> {
                    if (!scrape.valuesOf(selector.metric(), label).contains(value)) {
                        wrong.add(selector.metric() + " never has " + label + "=" + value);
                    }
                });
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void labelsContainNoValuesFromClients() {
        Scrape scrape = scrapeAfterSomeRequests();
        scrape.samples().forEach((metric, samples) -> samples.forEach(labels -> labels.forEach(
                (label, value) -> assertThat(NAMED_BY_OPERATORS.contains(label) || !UUID_LIKE.matcher(value).find())
                        .as(metric + " " + label + "=" + value)
                        .isTrue())));
        assertThat(scrape.valuesOf("berth_build_info", "service")).contains("berth-placement", "berth-scheduler");
        assertThat(scrape.valuesOf("berth_database_pool_waiting", "pool"))
                .contains("catalogue", "decisions", "fleet", "ledger", "reads", "registry");
        assertThat(scrape.valuesOf("berth_http_requests_seconds_count", "route"))
                .contains("other", "/v1/select_destinations", "/v1/decisions/{}", "/resource_providers/{}");
    }

    @Test
    void theServerTimingHeaderListsThePhasesOfADecision() {
        fleet.host("a", 4);
        // With a single host no weigher runs.
        fleet.host("b", 4);
        String timing = select(fleet.body(instances(1), "")).then().statusCode(200).extract().header("server-timing");
        Map<String, Double> ms = new TreeMap<>();
        for (String phase : timing.split(", ")) {
            String[] parts = phase.split(";dur=");
            ms.put(parts[0], Double.valueOf(parts[1]));
        }
        double total = ms.remove("total");
        assertThat(ms).containsOnlyKeys(
                "registry", "prefilter", "lookup", "candidates", "hosts", "attest", "filter", "weigh",
                "claim", "register");
        assertThat(ms.values().stream().mapToDouble(Double::doubleValue).sum()).isBetween(0.1, total + 0.02);
    }

    @Test
    void promtoolAcceptsTheRules() throws Exception {
        String promtool = System.getProperty("berth.promtool", "/usr/bin/promtool");
        assumeTrue(Files.isExecutable(Path.of(promtool)), "promtool (package prometheus) is not installed");
        Process check = new ProcessBuilder(promtool, "check", "rules", OBSERVABILITY.resolve("rules.yaml").toString())
                .redirectErrorStream(true).start();
        String output = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(check.waitFor()).as(output).isZero();
        assertThat(output).contains("SUCCESS");
    }
}
