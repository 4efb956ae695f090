package io.berth.deploy.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.deploy.process.Await;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that an operator needs at most five clicks from the first view for each of nine tasks. A click into a text
 * field counts, and a choice in a list counts twice.
 */
class TasksPageIT extends DemoPage {
    private static final int CLICKS_MAX = 5;
    /** The maximum number of bytes that the browser receives for the first view. */
    private static final int FIRST_VIEW_MAX = 60_000;

    @BeforeEach
    void begin() {
        signInAsAdmin();
        browser.countClicks();
    }

    private static void assertFewClicks() {
        assertThat(browser.clicks()).isBetween(1, CLICKS_MAX);
    }

    private static double ratioOf(String host) throws IOException {
        return cloud.read("/v1/fleet/" + cloud.uuidOf(host)).at("/providers/0/inventories/VCPU/allocation_ratio")
                .asDouble();
    }

    /** Types into the search field of the page's header. */
    private static void search(String text) {
        browser.type("#search", text);
        browser.enter("#search");
    }

    /** Opens the host of this name from the results of a search. */
    private static void openFound(String host) {
        search(host);
        browser.click(".results .names a");
    }

    private static void openRefusal() {
        browser.click("nav a[href='#/decisions']");
        browser.click("tr:has(.state.down) a");
        browser.awaitText(".trouble", "None of 48 hosts will do");
    }

    @Test
    void showsWhyARequestWasRefused() {
        openRefusal();
        browser.awaitText(".nearest", "the best provider that meets the rest, az2-r2-h8, has");
        browser.awaitText(".funnel .none", "VCPU");
        assertFewClicks();
    }

    @Test
    void listsTheMostFrequentReasonsOfRefusals() throws Exception {
        browser.click("nav a[href='#/decisions']");
        browser.click(".reasons summary");
        browser.awaitText(".reasons", "None of 48 hosts will do");
        assertThat(browser.text(".reasons td.said")).doesNotContain("az2-r2-h8");
        browser.look("decisions");
    }

    @Test
    void listsTheHostsThatCouldTakeARequest() throws Exception {
        search("app-1");
        browser.click(".results tr:has(.state.up) a");
        browser.click(".takers button");
        browser.awaitText(".takers [role=status]", "hosts could");
        browser.awaitText(".takers tbody th a", "az");
        assertFewClicks();
        browser.look("takers");
        browser.click(".takers tbody a");
        browser.awaitText("h1", "az");
        browser.awaitText(".facts", "Availability zone");
    }

    @Test
    void showsThatNoHostCouldTakeARequest() {
        openRefusal();
        browser.click(".takers button");
        browser.awaitText(".takers [role=status]", "No host could take it now");
        assertFewClicks();
    }

    @Test
    void raisesAnAllocationRatioAndUndoesIt() throws Exception {
        double before = ratioOf("az1-r1-h5");
        openFound("az1-r1-h5");
        browser.click("button[aria-label^='Change VCPU']");
        browser.type("input[name=ratio]", "6.5");
        browser.awaitText(".command", "openstack resource provider inventory set " + cloud.uuidOf("az1-r1-h5")
                + " --amend --resource VCPU:allocation_ratio=6.5");
        browser.click(".change button.primary");
        browser.awaitText(".saved", "Saved by admin: VCPU of az1-r1-h5: allocation ratio");
        assertFewClicks();
        assertThat(ratioOf("az1-r1-h5")).isEqualTo(6.5);
        browser.look("saved");
        browser.countClicks();
        browser.click(".saved button");
        browser.awaitText(".saved", "undone");
        assertThat(ratioOf("az1-r1-h5")).isEqualTo(before);
        assertFewClicks();
    }

    @Test
    void undoesAChangeOfAnotherUserFromTheListOfChanges() throws Exception {
        double before = ratioOf("az1-r2-h2");
        change("az1-r2-h2", 7.25);
        openFound("az1-r2-h2");
        browser.awaitText(".changed", "→ 7.25");
        browser.click(".changed tr:has(td) button");
        browser.awaitText(".saved", "undid the change of");
        assertThat(ratioOf("az1-r2-h2")).isEqualTo(before);
        assertFewClicks();
    }

    @Test
    void doesNotUndoAChangeThatWasOverwritten() throws Exception {
        openFound("az1-r2-h3");
        browser.click("button[aria-label^='Change VCPU']");
        browser.type("input[name=ratio]", "6.5");
        browser.click(".change button.primary");
        browser.awaitText(".saved", "Saved by admin");
        change("az1-r2-h3", 8.5);
        browser.click(".saved button");
        browser.awaitText(".saved .trouble", "allocation ratio 6.5 → 8.5. Nothing was saved");
        assertThat(ratioOf("az1-r2-h3")).isEqualTo(8.5);
    }

    private static void change(String host, double ratio) throws IOException {
        JsonNode provider = cloud.read("/v1/fleet/" + cloud.uuidOf(host)).at("/providers/0");
        assertThat(cloud.scheduler().call("PUT",
                "/v1/fleet/" + provider.path("uuid").asText() + "/inventories/VCPU", """
                        {"resource_provider_generation": %d, "allocation_ratio": %s}"""
                        .formatted(provider.path("generation").asInt(), ratio)).status())
                .isEqualTo(200);
    }

    @Test
    void showsWhyAHostWasRejectedThenAndNow() throws Exception {
        openRefusal();
        browser.type("#why-not", "az2-r2-h8");
        browser.click(".whynot button.primary");
        browser.awaitText(".whynot .verdict", "az2-r2-h8: not offered");
        browser.awaitText(".now .verdict", "az2-r2-h8 would not be taken");
        assertFewClicks();
    }

    @Test
    void drainsARack() throws Exception {
        browser.type("#name", "az3-r2");
        browser.awaitText(".totals", "8 of 48 hosts");
        browser.click(".drainable a");
        browser.awaitText(".outcome", "Where their instances would go");
        browser.type("#drain-name", "rack az3-r2");
        browser.click(".begin button.primary");
        browser.awaitText(".begin [role=status]", "The drain rack az3-r2 of 8 hosts has begun, by admin");
        assertFewClicks();
        assertThat(cloud.read("/v1/drains/rack%20az3-r2").path("hosts")).hasSize(8)
                .allMatch(host -> host.path("disabled").asBoolean());
        browser.awaitText(".drains h3", "rack az3-r2");
        browser.click(".drains button[aria-expanded]");
        browser.awaitText(".drains table", "az3-r2-h1");
        browser.look("drain");
        browser.run("""
                [...document.querySelectorAll('.drains button')].find(each => each.innerText.startsWith('Undo')).click()""");
        Await.eventually(() -> assertThat(cloud.scheduler().get("/v1/drains").body()).doesNotContain("rack"));
        assertThat(cloud.read("/v1/fleet/" + cloud.uuidOf("az3-r2-h1")).path("state").asText())
                .isNotEqualTo("disabled");
    }

    @Test
    void drainsARackByItsAggregate() {
        browser.click("nav a[href='#/what-if']");
        browser.click("#scope option[value=aggregate]");
        browser.type("#selected", "az3-r1");
        browser.click(".changes button.primary");
        browser.awaitText(".outcome", "Where their instances would go");
        assertFewClicks();
        assertThat(browser.has(".begin button.primary")).isTrue();
        assertThat(browser.run("return [...document.querySelectorAll('#some-selected option')].map(each => each.value)")
                .toString()).contains("az3-r1");
    }

    @Test
    void linksAHostAndItsConsumersInBothDirections() throws Exception {
        openFound("az2-r1-h4");
        browser.awaitText(".holders", "app-1");
        browser.awaitText(".holders", "app-4");
        browser.click(".holders a");
        browser.awaitText("h1", "app-");
        browser.awaitText(".facts", "az2-r1-h4");
        browser.look("instance");
        browser.click(".instance tbody th a");
        browser.awaitText(".decision .facts", "az2-r1-h4");
        browser.awaitText(".decision .facts", "app-");
        browser.click(".decision .facts a[href^='#/hosts/']");
        browser.awaitText("h1", "az2-r1-h4");
        browser.awaitText(".holders", "app-1");
        assertFewClicks();
    }

    @Test
    void findsAnInstanceByItsName() throws Exception {
        search("app-1");
        browser.awaitText(".results", "on az2-r1-h4");
        browser.awaitText(".results", "Decisions about this instance");
        browser.look("search");
        browser.click(".results a[href^='#/instances/']");
        browser.awaitText("h1", "app-1");
        assertFewClicks();
        search("no such thing <b>");
        browser.awaitText("h2", "Nothing has this name");
        browser.awaitText("h1", "Search: no such thing <b>");
        search("g1.8xlarge");
        browser.awaitText(".results", "Decisions for this flavor");
    }

    @Test
    void theAddressKeepsTheView() throws Exception {
        browser.type("#name", "az2");
        browser.awaitText(".totals", "16 of 48 hosts");
        browser.click("#aggregate option[value=az2-r1]");
        browser.awaitText(".totals", "8 of 48 hosts");
        String filtered = address();
        browser.click("#group option[value=state]");
        Await.eventually(() -> assertThat(address()).contains("group=state"));
        String grouped = address();
        assertFewClicks();
        browser.back();
        Await.eventually(() -> assertThat(address()).isEqualTo(filtered));
        browser.awaitText(".totals", "8 of 48 hosts");
        browser.forward();
        Await.eventually(() -> assertThat(address()).isEqualTo(grouped));

        browser.click("nav a[href='#/decisions']");
        browser.click("#by-result option[value=no_valid_host]");
        browser.type("#by-flavor", "g1.8xlarge");
        browser.click(".decisions form button");
        Await.eventually(() -> assertThat(address()).contains("result=no_valid_host"));
        browser.awaitText("tbody", "g1.8xlarge");
        Await.eventually(() -> assertThat(browser.text("tbody")).doesNotContain("\tselected"));
        String searched = address();

        browser.run("location.hash = '#/what-if'");
        browser.type("#selected", "az2-r2-h8");
        browser.click("button[name=more]");
        browser.awaitText(".made", "drain az2-r2-h8");
        browser.click("#kind option[value=add]");
        browser.type("#like", "az1-r1-h6");
        browser.click(".changes button.primary");
        browser.awaitText(".outcome", "Where their instances would go");
        String forecast = address();

        try (var other = Browser.open()) {
            other.signInAt(grouped, "admin");
            other.awaitText(".totals", "8 of 48 hosts");
            assertThat(other.value("#group")).isEqualTo("state");
            assertThat(other.value("#name")).isEqualTo("az2");
            other.signInAt(searched, "admin");
            other.awaitText("tbody", "g1.8xlarge");
            assertThat(other.value("#by-result"))
                    .isEqualTo("no_valid_host");
            other.signInAt(forecast, "admin");
            other.awaitText(".outcome", "Where their instances would go");
            assertThat(other.text(".made")).contains("drain az2-r2-h8");
            assertThat(other.value("#like")).isEqualTo("az1-r1-h6");
            assertThat(other.complaints()).isEmpty();
        }
    }

    @Test
    void anInvalidAddressShowsTheViewWithDefaultsOrAnError() {
        browser.run("location.hash = '#/what-if?change=nonsense&change=%7B%22kind%22%3A%22toString%22%7D&change=null'");
        browser.awaitText("h1", "What if");
        browser.awaitText(".changes", "Drain hosts");
        browser.run("location.hash = '#/fleet?resource=%3Cb%3E&zone=nowhere'");
        browser.awaitText(".nothing", "No host is like that");
        browser.run("location.hash = '#/hosts/no-such-host'");
        browser.awaitText(".trouble", "Placement has no host of the name no-such-host");
        browser.run("location.hash = '#/decisions?since=yesterday'");
        browser.awaitText(".trouble", "since");
    }

    @Test
    void disablesAHostWithAReasonAndEnablesItAgain() throws Exception {
        String host = cloud.uuidOf("az3-r1-h7");
        openFound("az3-r1-h7");
        browser.type("#reason", "a memory module failed");
        browser.click(".switch button");
        browser.awaitText(".saved", "Saved by admin: disabled false → true");
        assertFewClicks();
        browser.awaitText(".facts", "disabled: a memory module failed");
        assertThat(cloud.read("/v1/fleet/" + host).path("state").asText()).isEqualTo("disabled");
        browser.click(".saved button");
        browser.awaitText(".saved", "undone");
        assertThat(cloud.read("/v1/fleet/" + host).path("state").asText()).isNotEqualTo("disabled");
    }

    @Test
    void enablesAHostAndDisablesItAgainWithItsReason() throws Exception {
        browser.run("location.hash = '#/hosts/az2-r1-h8'");
        browser.awaitText(".switch button", "Enable this host");
        browser.click(".switch button");
        browser.awaitText(".saved", "Saved by admin: disabled true → false");
        browser.awaitText(".switch button", "Disable this host");
        browser.click(".saved button");
        browser.awaitText(".saved", "undone");
        browser.awaitText(".facts", "disabled: a fan is being replaced");
    }

    @Test
    void linksFromCapacityToHostsWithRoom() {
        browser.click("nav a[href='#/capacity']");
        browser.click("tbody th a");
        browser.awaitText(".capacity .count", "more fit");
        assertThat(address()).contains("watch=");
        browser.click("a[href^='#/hosts/']");
        browser.awaitText(".facts", "Availability zone");
        assertFewClicks();
    }

    @Test
    void pagesThroughDecisionsOfAPeriod() {
        browser.run("location.hash = '#/decisions?since=' + new Date(Date.now() - 86400000).toISOString()");
        browser.awaitText("tbody", "selected");
        assertThat(browser.value("#by-since")).isNotEmpty();
        browser.run("location.hash = '#/decisions?until=2020-01-01T00:00:00.000Z'");
        browser.awaitText("h2", "No decision is like that");
        String second = browser.await("""
                const done = arguments[0];
                import('/ui/api.js').then(api => api.call('GET', '/v1/decisions?limit=2'))
                  .then(({decisions}) => done(decisions[1].decision_id));""").asText();
        browser.run("location.hash = '#/decisions?marker=' + arguments[0]", second);
        browser.awaitText(".pages", "The latest");
        browser.awaitText("tbody", "selected");
        assertThat(browser.text("tbody")).doesNotContain(second);
    }

    @Test
    void copiesAResultAsTextAndAsCommands() throws Exception {
        browser.allowClipboard(cloud.url());
        openRefusal();
        String id = browser.text("p.hint code");
        copy("text");
        assertThat(browser.clipboard()).startsWith("decision " + id + ": no_valid_host");
        assertFewClicks();
        copy("curl");
        assertThat(browser.clipboard())
                .isEqualTo("curl -sS -H \"X-Auth-Token: $TOKEN\" -H 'Accept: text/plain' " + cloud.url()
                        + "/v1/decisions/" + id);
        copy("openstack");
        assertThat(browser.clipboard()).isEqualTo("openstack placement why " + id);
        browser.run("location.hash = '#/what-if'");
        browser.type("#selected", "az2-r2-h8");
        browser.click(".changes button.primary");
        browser.awaitText(".outcome", "find a place");
        copy("openstack");
        assertThat(browser.clipboard()).isEqualTo("openstack placement drain az2-r2-h8");
    }

    private static void copy(String form) {
        browser.click("button[aria-label='Copy as " + form + "']");
        browser.awaitText(".copies [role=status]", "Copied as " + form);
    }

    /** The other views load after the sign-in. */
    @Test
    void theFirstViewIsSmall() throws Exception {
        try (var other = Browser.open()) {
            other.go(cloud.page());
            other.awaitText("h2", "Sign in with a token");
            int bytes = other.run("""
                    return ['resource', 'navigation'].flatMap(kind => performance.getEntriesByType(kind))
                      .filter(({name}) => name.includes('/ui'))
                      .reduce((sum, {encodedBodySize}) => sum + encodedBodySize, 0)""").asInt();
            assertThat(bytes).isBetween(20_000, FIRST_VIEW_MAX);
        }
    }
}
