package io.berth.deploy.page;

import static io.berth.deploy.process.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.process.ServiceProcess;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the page under failures: a service is unreachable, a proxy responds instead, or another user makes a change
 * first.
 */
class UnluckyPageIT extends DemoPage {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TOO_MANY = """
            {"errors": [{"status": 503, "code": "scheduler.overloaded", "detail": "Too many requests are under way.", "request_id": "req-1"}]}""";

    private static Between prometheus;
    private static ServiceProcess second;
    private Between between;

    @BeforeAll
    static void start() throws Exception {
        prometheus = new Between();
        second = cloud.startAnother(Map.of("BERTH_PAGE_PROMETHEUS_URL", prometheus.url()));
    }

    @AfterAll
    static void stop() throws IOException {
        second.close();
        prometheus.close();
    }

    @BeforeEach
    void startProxy() throws IOException {
        between = new Between(cloud.url());
    }

    @AfterEach
    void stopProxy() {
        between.close();
    }

    private void signIn() {
        browser.signIn(between.page(), "admin");
        browser.awaitText(".totals", " hosts");
    }

    private static void show(String place) {
        browser.run("location.hash = arguments[0]", "#/" + place);
    }

    private static void awaitLive() {
        eventually("it is live again",
                () -> browser.text(".live").startsWith("live,") && browser.text(".trouble").isEmpty());
    }

    @Test
    void reportsAViewThatFailsWhileOtherViewsStillWork() {
        between.answer("/v1/fleet", 200, "{}");
        browser.signIn(between.page(), "admin");
        browser.awaitText("h1", "This cannot be shown");
        assertThat(browser.text(".trouble")).contains("The page failed:");
        browser.click("nav a[href='#/decisions']");
        browser.awaitText("h1", "Decisions");
        browser.awaitText("table.list", "selected");
        browser.click("nav a[href='#/fleet']");
        browser.awaitText("h1", "This cannot be shown");
        between.pass("/v1/fleet");
        browser.click("main button.primary");
        browser.awaitText(".totals", "48 hosts");
        // The console has the cause.
        assertThat(browser.complaints()).isNotEmpty().allMatch(each -> each.contains("TypeError"));
    }

    @Test
    void reloadsAViewThatFailedToLoad() {
        between.answerHtml("/ui/health.js", 502);
        signIn();
        show("health");
        browser.awaitText(".trouble", "This part of the page could not be loaded.");
        browser.click("nav a[href='#/decisions']");
        browser.awaitText("table.list", "selected");
        between.pass("/ui/health.js");
        show("health");
        browser.awaitText("h1", "Health");
        assertThat(browser.complaints()).isNotEmpty().allMatch(each -> each.contains("health.js"));
    }

    @Test
    void resetsTheSelectionIfItsResourceClassIsDeleted() throws Exception {
        String lone = "/resource_providers/5b1c0f3e-6d6a-4f0e-9e0b-0c6a0b1f7a11";
        cloud.placement().call("PUT", "/resource_classes/CUSTOM_FLEETING", null);
        cloud.placement().call("POST", "/resource_providers", """
                {"uuid": "5b1c0f3e-6d6a-4f0e-9e0b-0c6a0b1f7a11", "name": "lone"}""");
        cloud.placement().call("PUT", lone + "/inventories", """
                {"resource_provider_generation": 0, "inventories": {"CUSTOM_FLEETING": {"total": 1}}}""");
        signIn();
        browser.click("#resource option[value='allocation ratio of CUSTOM_FLEETING']");
        browser.awaitText(".legend", "a ratio of 1");
        cloud.placement().call("DELETE", lone, null);
        browser.awaitText(".legend", "100 %, beyond");
        assertThat(browser.run("return document.querySelector('#resource').value").asText())
                .isEqualTo("the largest share");
        browser.click("nav a[href='#/decisions']");
        browser.awaitText("h1", "Decisions");
    }

    @Test
    void reportsAResponseThatIsNotJsonAndRetries() {
        between.answerHtml("/v1/sign_in", 200);
        browser.go(between.page());
        browser.run("location.hash = ''; location.reload()");
        browser.awaitText(".trouble", "The answer is not JSON: something between answered.");
        between.pass("/v1/sign_in");
        browser.awaitText("h2", "Sign in with");
        eventually("the error is removed when the form works", () -> browser.text(".trouble").isEmpty());
        signIn();
        between.answerHtml("/v1/fleet", 200);
        browser.awaitText(".trouble", "The answer is not JSON");
        assertThat(browser.text(".live")).startsWith("not live since");
        assertThat(browser.text(".totals")).contains("48 hosts");
        between.pass("/v1/fleet");
        awaitLive();
        show("capacity");
        browser.awaitText(".live", "live,");
        between.answerHtml("/v1/capacity/watches", 200);
        browser.awaitText(".live", "not live since");
        browser.awaitText(".trouble", "The answer is not JSON");
        browser.awaitText("table.list", "m1.medium");
        between.pass("/v1/capacity/watches");
        awaitLive();
    }

    @Test
    void showsHealthyPartsWhileOthersFail() {
        between.answer("/v1/placement_sync", 503, "application/json", TOO_MANY, Map.of("retry-after", "1"));
        between.answerHtml("/v1/replica", 502);
        signIn();
        show("health");
        browser.awaitText("main", "Too many requests are under way.");
        browser.awaitText("main", "The service answered 502.");
        browser.awaitText("main", "since it started");
        browser.awaitText("main", "compute-nodes: 48");
        browser.awaitText("tr:has(.state.up)", "placement");
        between.answer("/q/health/well", 503, TOO_MANY);
        between.answer("/q/health/ready", 503, """
                {"status": "DOWN", "checks": [{"name": "registry", "status": "DOWN", "data": {"reason": "the database proves nothing"}}]}""");
        browser.awaitText("tr:has(.state.down)", "the database proves nothing");
        eventually("two parts show it", () -> browser.text(".trouble").split("Too many requests", -1).length == 3);
        between.pass("/v1/placement_sync");
        between.pass("/v1/replica");
        between.pass("/q/health/well");
        between.pass("/q/health/ready");
        eventually("all is shown",
                () -> browser.text(".trouble").isEmpty() && browser.text("main").contains("Placement holds all"));
    }

    @Test
    void mentionsTheManagementPortOnlyIfARouteIsMissing() {
        between.answerHtml("/q/metrics", 403);
        between.answer("/q/health/well", 404, "{}");
        between.hold("/q/health/ready");
        signIn();
        show("health");
        browser.awaitText("main", "403 The service answered 403.");
        browser.awaitText("main", "Checks do not answer here: see berth.management.port.");
        assertThat(browser.text("main")).doesNotContain("Figures do not answer here");
        browser.awaitText("main", "The service has not answered for 40 seconds.");
        between.pass("/q/health/ready");
        browser.awaitText("main", "compute-nodes: 48");
    }

    @Test
    void measuresEachReplicaSeparatelyBehindALoadBalancer() throws Exception {
        between.close();
        between = new Between(cloud.url(), second.url());
        signIn();
        show("health");
        // No replica decides anything now, and one of them has made all decisions.
        browser.run("""
                window.rates = {};
                new MutationObserver(() => {
                  const rate = [...document.querySelectorAll('.figure')].find(each => / since it started,/.test(each.innerText));
                  if (!rate) return;
                  const [, count] = /(\\S+) since it started/.exec(rate.innerText);
                  const shown = rate.querySelector('strong').innerText;
                  if (shown !== '–') (window.rates[count] = window.rates[count] || []).push(shown);
                }).observe(document.body, {childList: true, subtree: true, characterData: true});""");
        eventually("both replicas are measured", () -> {
            JsonNode rates = browser.run("return window.rates");
            rates.forEach(shown -> shown.forEach(rate -> assertThat(rate.asText()).isEqualTo("0.0")));
            return rates.size() > 1;
        });
    }

    @Test
    void refreshesTheHistoryOfAllReplicasAndShowsItsDate() throws Exception {
        between.close();
        between = new Between(second.url());
        // The page shows the date only of another day.
        Instant start = Instant.now().minus(Duration.ofDays(2));
        setPrometheusResponse("2", start, start.plusSeconds(300));
        signIn();
        show("health");
        browser.awaitText("main", "All replicas");
        browser.awaitText(".figure .history", "2 since " + browser.run(
                "return new Date(arguments[0]).toLocaleString('en-GB')", start.getEpochSecond() * 1000).asText());
        setPrometheusResponse("7", start, start.plusSeconds(300), start.plusSeconds(600));
        browser.run("document.dispatchEvent(new Event('visibilitychange'))");
        browser.awaitText(".figure .history", "7 since");
        prometheus.answer("/api/v1/query_range", 400, "application/json", """
                {"status": "error", "error": "out of memory"}""", Map.of("access-control-allow-origin", "*"));
        browser.run("document.dispatchEvent(new Event('visibilitychange'))");
        browser.awaitText("main", "No history from Prometheus: out of memory");
    }

    private static void setPrometheusResponse(String value, Instant... times) throws IOException {
        ObjectNode response = JSON.createObjectNode().put("status", "success");
        ObjectNode series = response.putObject("data").putArray("result").addObject();
        series.putObject("metric");
        ArrayNode values = series.putArray("values");
        for (Instant time : times) {
            values.addArray().add(time.getEpochSecond()).add(value);
        }
        prometheus.answer("/api/v1/query_range", 200, "application/json", response.toString(),
                Map.of("access-control-allow-origin", "*"));
    }

    @Test
    void requestsTheCapacityOfAllHostsAndStatesHowManyItShows() {
        signIn();
        show("capacity");
        browser.type("#vcpus", "1");
        browser.type("#memory_mb", "64");
        browser.type("#root_gb", "0");
        browser.click(".capacity > form button.primary");
        browser.awaitText("main", "The 20 with most room of ");
        assertThat(between.sentTo("/v1/capacity")).contains("\"limit\":100000");
    }

    @Test
    void showsWhyAWatchedFlavorIsNotCounted() throws Exception {
        String watch = "/v1/capacity/watches/unknown-trait";
        cloud.scheduler().call("PUT", watch, """
                {"request_spec": {"flavor": {"vcpus": 1, "memory_mb": 64, "root_gb": 1, "extra_specs": {"trait:CUSTOM_NOBODY_MADE": "required"}}}}""");
        try {
            eventually("it is counted", () -> cloud.scheduler().get(watch).body().contains("\"refused\""));
            signIn();
            show("capacity");
            browser.awaitText("main", cloud.read(watch).at("/last/refused").asText());
            assertThat(browser.text("tr:has(.said)")).startsWith("unknown-trait\t–");
            assertThat(browser.text("tr:has(.said)")).as("zones are not counted either").doesNotContain("az-1");
        } finally {
            cloud.scheduler().call("DELETE", watch, null);
        }
    }

    @Test
    void marksAnOldCountOfAWatchedFlavor() throws Exception {
        eventually("it is counted", () -> cloud.scheduler().get("/v1/capacity/watches").body().contains("\"last\""));
        ObjectNode response = (ObjectNode) cloud.read("/v1/capacity/watches");
        Instant then = Instant.now().minus(Duration.ofDays(2));
        response.path("watches").forEach(each -> ((ObjectNode) each.at("/last/as_of")).put("time", then.toString()));
        between.answer("/v1/capacity/watches", 200, response.toString());
        signIn();
        show("capacity");
        browser.awaitText("tr:has(th) .state", "old");
        assertThat(browser.text("tr:has(th)")).contains(browser.run(
                "return new Date(arguments[0]).toLocaleString('en-GB')", then.toEpochMilli()).asText());
    }

    @Test
    void reportsThatThePolicyForbidsWatchedFlavors() throws Exception {
        cloud.setPolicy(Cloud.RITA_READS + "\"scheduler:capacity\": \"!\"\n");
        try {
            eventually("the policy is read again",
                    () -> !cloud.scheduler().get("/v1/caller").body().contains("\"scheduler:capacity\""));
            signIn();
            show("capacity");
            browser.awaitText("main", "the policy does not allow scheduler:capacity");
            assertThat(browser.text("main")).doesNotContain("None. A watched flavor");
            show("what-if");
            browser.awaitText("main", "Which flavors are watched is not known here");
        } finally {
            cloud.setPolicy(Cloud.RITA_READS);
        }
        eventually("the policy is restored",
                () -> cloud.scheduler().get("/v1/caller").body().contains("\"scheduler:capacity\""));
    }

    @Test
    void refreshesTheMapWhileNoHostMatches() {
        signIn();
        browser.type("#name", "no such host");
        browser.awaitText(".nothing", "No host is like that.");
        int frames = frames();
        eventually("two refreshes are painted", () -> frames() > frames + 1);
        assertThat(browser.run("""
                const canvas = document.querySelector('.map canvas');
                const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
                return new Set(new Uint32Array(data.buffer)).size""").asInt()).as("colours").isEqualTo(1);
        browser.run("document.querySelector('.map canvas').dispatchEvent(new KeyboardEvent('keydown', {key:"
                + " 'ArrowRight'}))");
        browser.type("#name", "az1-r1-h1");
        browser.awaitText(".totals", "1 of 48 hosts");
    }

    private static int frames() {
        return browser.run("return Number(document.querySelector('.map canvas').dataset.frames)").asInt();
    }

    @Test
    void aRefreshKeepsTheZoomOfTheMap() {
        signIn();
        JsonNode zooms = browser.await("""
                const done = arguments[0];
                import('/ui/map.js').then(({HostMap}) => {
                  const canvas = document.querySelector('.map canvas'), map = new HostMap(canvas, () => {}, () => {});
                  const show = (count, names) => map.show([{title: 'a', hosts: Int32Array.from({length: count}, (_, i) => i)}],
                    new Uint8Array(9), new Uint8Array(9), names);
                  const names = () => Array.from({length: 9}, (_, i) => `host-${i}`);
                  show(8, names());
                  map.zoomAt(100, 100, 4);
                  const refreshed = names();
                  show(9, refreshed);
                  const afterRefresh = map.zoom;
                  show(2, refreshed);
                  map.close();
                  done([afterRefresh, map.zoom]);
                });""");
        assertThat(zooms.toString()).isEqualTo("[4,1]");
    }

    @Test
    void doesNotHandleOtherButtonsAndShortcutsOfTheBrowser() {
        signIn();
        browser.type("#name", "az1-r1-h1");
        browser.awaitText(".totals", "1 of 48 hosts");
        JsonNode left = browser.run("""
                const map = document.querySelector('.map canvas'), corner = map.getBoundingClientRect();
                map.setPointerCapture = () => {};
                const point = (name, x, y, more) => map.dispatchEvent(new PointerEvent(name,
                  {pointerId: 1, clientX: corner.left + x, clientY: corner.top + y, bubbles: true, ...more}));
                const key = more => map.dispatchEvent(new KeyboardEvent('keydown', {key: '0', bubbles: true, cancelable: true, ...more}));
                point('pointerdown', 10, 30, {button: 2});
                point('pointerup', 10, 30, {button: 2});
                const afterRight = location.hash.includes('hosts');
                return [afterRight, key({ctrlKey: true}), key({metaKey: true}), key({altKey: true}), key({})];""");
        assertThat(left.toString()).isEqualTo("[false,true,true,true,false]");
        browser.run("""
                const map = document.querySelector('.map canvas'), corner = map.getBoundingClientRect();
                const point = (name, x, y) => map.dispatchEvent(new PointerEvent(name,
                  {pointerId: 1, clientX: corner.left + x, clientY: corner.top + y, bubbles: true}));
                point('pointerdown', 200, 200);
                point('pointercancel', 200, 200);
                point('pointermove', 10, 30);""");
        browser.awaitText(".tip", "az1-r1-h1");
    }

    @Test
    void announcesChangesAndMovesTheFocusToTheNewView() {
        signIn();
        browser.awaitText(".live", "live,");
        assertThat(browser.text(".live [role=status]")).isEqualTo("live");
        between.answer("/v1/fleet", 503, TOO_MANY);
        browser.awaitText(".trouble", "req-1");
        assertThat(browser.text("[role=alert]")).contains("Too many requests").doesNotContain("req-1");
        assertThat(browser.text(".live [role=status]")).isEqualTo("not live");
        browser.click("nav a[href='#/decisions']");
        eventually("the focus is in the new view",
                () -> browser.run("return document.activeElement.id").asText().equals("main"));
    }

    @Test
    void pollsOneAtATimeAndLessOftenAfterARefusal() {
        browser.signIn(between.page(), "admin");
        browser.awaitText(".totals", "48 hosts");
        browser.run("""
                const fetched = window.fetch, timed = window.setTimeout;
                window.asked = [];
                window.rests = [];
                window.fetch = (path, options) => {
                  if (path === '/v1/fleet') window.asked.push(options.signal);
                  return fetched(path, options);
                };
                window.setTimeout = (action, ms, ...more) => {
                  window.rests.push(ms);
                  return timed(action, ms, ...more);
                };""");
        eventually("the fleet is requested again", () -> browser.run("return window.asked.length").asInt() > 2);
        // The timer that ends "live" runs for two polls instead of a fixed time.
        assertThat(browser.run(
                "return window.rests.some(poll => window.rests.includes(2 * poll)) && !window.rests.includes(30000)")
                .asBoolean()).isTrue();
        between.hold("/v1/fleet");
        browser.run("for (let i = 0; i < 3; i++) document.dispatchEvent(new Event('visibilitychange'))");
        assertThat(browser.run("return window.asked.slice(-3).map(signal => signal.aborted)").toString())
                .isEqualTo("[true,true,false]");
        browser.awaitText(".live", "as of");
        between.pass("/v1/fleet");
        between.answer("/v1/fleet", 403, "{}");
        browser.run("window.rests = []; document.dispatchEvent(new Event('visibilitychange'))");
        browser.awaitText(".trouble", "403");
        assertThat(browser.run("return Math.max(...window.rests)").asInt()).isGreaterThanOrEqualTo(30_000);
        between.answer("/v1/fleet", 503, "application/json", TOO_MANY, Map.of("retry-after", "47"));
        browser.run("window.rests = []; document.dispatchEvent(new Event('visibilitychange'))");
        browser.awaitText(".trouble", "Too many requests");
        assertThat(browser.run("return Math.max(...window.rests)").asInt()).isGreaterThanOrEqualTo(47_000);
    }

    @Test
    void savesAChangeOfAHostDespiteAConcurrentClaim() throws Exception {
        String uuid = cloud.uuidOf("az1-r1-h6");
        signIn();
        show("hosts/" + uuid);
        browser.click("button[aria-label^='Change VCPU']");
        browser.type("input[name=ratio]", "5");
        String claim = "/allocations/0e2f7c1a-3f7c-4d5e-8a51-5a9b2c3d4e5f";
        assertThat(cloud.placement().call("PUT", claim, """
                {"allocations": {"%s": {"resources": {"VCPU": 1}}}, "project_id": "demo", "user_id": "demo",
                 "consumer_generation": null, "consumer_type": "INSTANCE"}""".formatted(uuid)).status()).isEqualTo(204);
        browser.click(".change button.primary");
        browser.awaitText("tr:has(button[aria-label^='Change VCPU']) .ratio", "5");
        cloud.placement().call("DELETE", claim, null);
    }

    @Test
    void reportsAConcurrentChangeAndOverwritesNothing() throws Exception {
        String uuid = cloud.uuidOf("az1-r1-h7");
        signIn();
        show("hosts/" + uuid);
        browser.click("button[aria-label^='Change VCPU']");
        browser.type("input[name=ratio]", "5");
        assertThat(cloud.scheduler().call("PUT", "/v1/fleet/" + uuid + "/inventories/VCPU", """
                {"resource_provider_generation": %d, "allocation_ratio": 3.5}"""
                .formatted(cloud.read("/v1/fleet/" + uuid).at("/providers/0/generation").asInt())).status())
                .isEqualTo(200);
        browser.click(".change button.primary");
        browser.awaitText(".change .trouble", "→ 3.5. Nothing was saved");
        assertThat(cloud.read("/v1/fleet/" + uuid).at("/providers/0/inventories/VCPU/allocation_ratio").asDouble())
                .isEqualTo(3.5);
    }

    @Test
    void countsRejectedHostsIncludingThoseThatAreNotListed() throws Exception {
        JsonNode listed = cloud.read("/v1/decisions?result=selected&limit=1");
        String path = "/v1/decisions/" + listed.at("/decisions/0/decision_id").asText();
        ObjectNode decision = (ObjectNode) cloud.read(path);
        // The record of a decision with more than a thousand rejections has this form.
        ObjectNode filter = (ObjectNode) decision.at("/instances/0/filters/0");
        filter.putArray("rejected").addObject().put("host", "h-1").put("nodename", "h-1").put("code", "disabled")
                .put("reason", "is disabled");
        filter.putObject("more_rejected").put("disabled", 2_000).put("down", 345);
        between.answer(path, 200, decision.toString());
        signIn();
        show(path.substring("/v1/".length()));
        browser.awaitText(".funnel summary", "2,346 rejected, and why");
    }

    @Test
    void signsInAfterReturningFromAnotherPage() {
        between.hold("/v1/caller");
        browser.go(between.page());
        browser.run("location.hash = ''; location.reload()");
        browser.type("#secret", "admin");
        browser.click("form button.primary");
        browser.awaitText("form button.primary", "Signing in…");
        // Browsers send this event to a page that they restore from memory.
        browser.run("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))");
        browser.awaitText("form button.primary", "Sign in");
        eventually("the button is enabled", () -> !browser.has("form button.primary:disabled"));
        between.pass("/v1/caller");
    }

    @Test
    void reportsATokenWithInvalidCharacters() {
        browser.signIn(between.page(), "“admin”");
        browser.awaitText(".trouble", "A token cannot have such a character in it");
        browser.type("#secret", "admin");
        browser.click("form button.primary");
        browser.awaitText(".totals", " hosts");
    }
}
