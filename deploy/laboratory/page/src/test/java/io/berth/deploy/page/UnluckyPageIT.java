package io.berth.deploy.page;

import static io.berth.deploy.process.Await.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.deploy.process.ServiceProcess;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the page does where something goes wrong: a part is away, something between answers, somebody else was faster. */
class UnluckyPageIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TOO_MANY = """
            {"errors": [{"status": 503, "code": "scheduler.overloaded", "detail": "Too many requests are under way.", "request_id": "req-1"}]}""";

    private static Cloud cloud;
    private static Between prometheus;
    private static ServiceProcess second;
    private static Browser browser;
    private Between between;

    @BeforeAll
    static void start() throws Exception {
        cloud = Cloud.withDemo();
        prometheus = new Between();
        second = cloud.startAnother(Map.of("BERTH_PAGE_PROMETHEUS_URL", prometheus.url()));
        browser = Browser.open();
    }

    @AfterAll
    static void stop() throws IOException {
        try {
            browser.close();
        } finally {
            second.close();
            prometheus.close();
            cloud.close();
        }
    }

    @BeforeEach
    void standBetween() throws IOException {
        between = new Between(cloud.url());
    }

    @AfterEach
    void complainsOfNothing() {
        between.close();
        assertThat(browser.complaints()).isEmpty();
    }

    private void signIn() {
        browser.signIn(between.page(), "admin");
        browser.awaitText(".totals", " hosts");
    }

    private static void show(String place) {
        browser.run("location.hash = arguments[0]", "#/" + place);
    }

    private static void awaitLive() {
        eventually("it is live again", () -> browser.text(".live").startsWith("live,") && browser.text(".trouble").isEmpty());
    }

    @Test
    void whatCannotBeDrawnIsToldAndTheOtherPagesGoOn() {
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
        // Who looks for the cause finds it there.
        assertThat(browser.complaints()).isNotEmpty().allMatch(each -> each.contains("TypeError"));
    }

    @Test
    void goesOnWhereTheResourceClassThatIsLookedAtIsGone() throws Exception {
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
        assertThat(browser.run("return document.querySelector('#resource').value").asText()).isEqualTo("the largest share");
        browser.click("nav a[href='#/decisions']");
        browser.awaitText("h1", "Decisions");
    }

    @Test
    void saysThatSomethingBetweenAnsweredAndAsksAgain() {
        between.answerHtml("/v1/sign_in", 200);
        browser.go(between.page());
        browser.run("location.hash = ''; location.reload()");
        browser.awaitText(".trouble", "The answer is not JSON: something between answered.");
        between.pass("/v1/sign_in");
        browser.awaitText("h2", "Sign in with");
        eventually("no trouble stands over a form that works", () -> browser.text(".trouble").isEmpty());
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
    void readsAloudWhatChangesAndMovesTheFocusToAnotherPlace() {
        signIn();
        browser.awaitText(".live", "live,");
        assertThat(browser.text(".live [role=status]")).isEqualTo("live");
        between.answer("/v1/fleet", 503, TOO_MANY);
        browser.awaitText(".trouble", "req-1");
        assertThat(browser.text("[role=alert]")).contains("Too many requests").doesNotContain("req-1");
        assertThat(browser.text(".live [role=status]")).isEqualTo("not live");
        browser.click("nav a[href='#/decisions']");
        eventually("what is shown is what the keyboard is at",
                () -> browser.run("return document.activeElement.id").asText().equals("main"));
    }

    @Test
    void asksOnceAtATimeAndLessOftenWhereItIsRefused() {
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
        between.hold("/v1/fleet");
        browser.run("for (let i = 0; i < 3; i++) document.dispatchEvent(new Event('visibilitychange'))");
        assertThat(browser.run("return window.asked.slice(-3).map(signal => signal.aborted)").toString()).isEqualTo("[true,true,false]");
        browser.awaitText(".live", "as of");
        between.answer("/v1/fleet", 403, "{}");
        browser.run("window.rests = []");
        between.pass("/v1/fleet");
        between.answer("/v1/fleet", 403, "{}");
        browser.run("document.dispatchEvent(new Event('visibilitychange'))");
        browser.awaitText(".trouble", "403");
        assertThat(browser.run("return Math.max(...window.rests)").asInt()).isGreaterThanOrEqualTo(30_000);
        between.answer("/v1/fleet", 503, "application/json", TOO_MANY, Map.of("retry-after", "47"));
        browser.run("window.rests = []; document.dispatchEvent(new Event('visibilitychange'))");
        browser.awaitText(".trouble", "Too many requests");
        assertThat(browser.run("return Math.max(...window.rests)").asInt()).isGreaterThanOrEqualTo(47_000);
    }
}
