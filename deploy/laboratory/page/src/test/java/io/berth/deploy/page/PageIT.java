package io.berth.deploy.page;

import static io.berth.deploy.process.Await.eventually;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * Tests the page as an operator uses it, with mouse and keyboard. Each test signs in again, because a reload discards
 * the session.
 */
class PageIT extends DemoPage {
    private static final int MANY = 50_000;

    private static void openHost(String host) throws IOException {
        browser.run("location.hash = '#/hosts/' + arguments[0]", cloud.uuidOf(host));
        browser.awaitText("h1", host);
    }

    @Test
    void showsTheRefusalOfATokenThatMayNotUseThePage() throws Exception {
        browser.signIn(cloud.page(), "nobody");
        browser.awaitText(".trouble", "the policy does not allow scheduler:caller:show");
        assertThat(browser.text(".trouble")).contains("This token may not use the page").contains("req-");
        browser.look("sign-in");
        assertNothingIsStored();
    }

    private static void assertNothingIsStored() {
        assertThat(browser.run("return [localStorage.length, sessionStorage.length, document.cookie]").toString())
                .isEqualTo("[0,0,\"\"]");
    }

    @Test
    void signsInWithAKeystonePassword() throws Exception {
        try (var keystone = new IdentityPeer(); var scheduler = cloud.startAnother(Map.of(
                "BERTH_AUTH_STRATEGY", "keystone",
                "BERTH_AUTH_KEYSTONE_URL", keystone.url(),
                "BERTH_AUTH_KEYSTONE_USERNAME", "berth",
                "BERTH_AUTH_KEYSTONE_PASSWORD", IdentityPeer.PASSWORD,
                "BERTH_PLACEMENT_AUTH_STRATEGY", "token"))) {
            browser.go(scheduler.url() + "/ui");
            browser.awaitText("h2", "Sign in with your Keystone password");
            browser.look("sign-in-keystone");
            browser.type("#user", "olive");
            browser.type("#secret", "guessed");
            browser.type("#project", "demo");
            browser.click("form button.primary");
            browser.awaitText(".trouble", "requires authentication");
            browser.type("#secret", IdentityPeer.PASSWORD);
            browser.click("form button.primary");
            browser.awaitText(".totals", "48 hosts");
            assertThat(browser.text(".who")).contains("olive").contains("admin");
            assertNothingIsStored();
        }
    }

    @Test
    void signsInAtAnOpenIdConnectProviderAndReturnsToTheView() throws Exception {
        try (var provider = new IdentityPeer(); var scheduler = cloud.startAnother(Map.ofEntries(
                entry("BERTH_AUTH_STRATEGY", "oidc"),
                entry("QUARKUS_OIDC_AUTH_SERVER_URL", provider.url()),
                entry("QUARKUS_OIDC_DISCOVERY_ENABLED", "false"),
                entry("QUARKUS_OIDC_INTROSPECTION_PATH", "/introspect"),
                entry("QUARKUS_OIDC_CLIENT_ID", "berth"),
                entry("QUARKUS_OIDC_CREDENTIALS_SECRET", "secret"),
                entry("QUARKUS_OIDC_TOKEN_AUDIENCE", "berth"),
                entry("BERTH_SIGN_IN_OIDC_AUTHORIZATION_URL", provider.url() + "/authorize"),
                entry("BERTH_SIGN_IN_OIDC_TOKEN_URL", provider.url() + "/token"),
                entry("BERTH_SIGN_IN_OIDC_CLIENT_ID", "page"),
                entry("BERTH_SIGN_IN_OIDC_CLIENT_SECRET", IdentityPeer.CLIENT_SECRET)))) {
            String page = scheduler.url() + "/ui";
            browser.go(page + "#/decisions");
            browser.awaitText("h2", "Sign in with your organisation");
            browser.click("form button.primary");
            browser.click("#agree");
            browser.awaitText("h1", "Decisions");
            assertThat(browser.text(".who")).contains("olive");
            assertThat(address()).isEqualTo(page + "#/decisions");
            assertNothingIsStored();
            // The page does not send a code that an attacker injects to the scheduler.
            browser.go(page + "?code=code-0&state=guessed");
            browser.awaitText(".trouble", "this was not begun in this tab");
            assertThat(address()).isEqualTo(page);
        }
    }

    @Test
    void showsTheFleetGroupedAndFiltered() throws Exception {
        signInAsAdmin();
        browser.awaitText(".live", "live,");
        browser.click("#resource option[value=VCPU]");
        browser.awaitText(".totals", "VCPU");
        browser.look("fleet");
        browser.type("#name", "az2-r1");
        browser.awaitText(".totals", "8 of 48 hosts");
        browser.click("#state option[value=disabled]");
        browser.awaitText(".totals", "1 of 48 hosts");
        browser.type("#name", "no such host");
        browser.awaitText(".nothing", "No host is like that.");
        browser.run("document.querySelector('nav a').click()");
        assertThat(browser.text("table.list")).isEmpty();
    }

    @Test
    void opensAHostWithMouseAndKeyboard() {
        signInAsAdmin();
        browser.click("#name");
        browser.type("#name", "az1-r1-h1");
        browser.awaitText(".totals", "1 of 48 hosts");
        browser.run("const map = document.querySelector('.map canvas');"
                + "map.focus(); map.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}))");
        browser.awaitText(".tip", "az1-r1-h1");
        // The next refreshes return every host at another index.
        browser.run("""
                const real = window.fetch;
                window.turned = 0;
                window.fetch = async (path, options) => {
                  const answer = await real(path, options);
                  if (path !== '/v1/fleet') return answer;
                  const fleet = await answer.json(), hosts = fleet.uuid.length;
                  const turn = columns => Object.values(columns).forEach(each => each.length === hosts && each.reverse());
                  [fleet, ...Object.values(fleet.resource_classes)].forEach(turn);
                  window.turned++;
                  return new Response(JSON.stringify(fleet), {status: 200});
                };""");
        eventually("the first of these refreshes is shown", () -> browser.run("return window.turned").asInt() > 1);
        assertThat(browser.text(".tip")).contains("az1-r1-h1");
        browser.enter(".map canvas");
        browser.awaitText("h1", "az1-r1-h1");
        browser.click("nav a");
        browser.type("#name", "az1-r1-h2");
        browser.awaitText(".totals", "1 of 48 hosts");
        browser.click("table.list a");
        browser.awaitText("h1", "az1-r1-h2");
    }

    @Test
    void showsAHostAndChangesItsRatioForAnAdmin() throws Exception {
        signInAsAdmin();
        openHost("az2-r1-h8");
        browser.awaitText(".facts", "disabled: a fan is being replaced");
        browser.awaitText(".provider", "CUSTOM_GPU_");
        browser.look("host");
        openHost("az1-r1-h3");
        browser.click("button[aria-label^='Change VCPU']");
        browser.type("input[name=ratio]", "2.5");
        browser.awaitText(".effect", "Capacity");
        browser.look("host-change");
        browser.click(".change button.primary");
        browser.awaitText("tr:has(button[aria-label^='Change VCPU']) .ratio", "2.5");
        assertThat(cloud.read("/v1/fleet/" + cloud.uuidOf("az1-r1-h3"))
                .at("/providers/0/inventories/VCPU/allocation_ratio").asDouble()).isEqualTo(2.5);
        browser.awaitText(".changed", "allocation ratio");
        assertThat(browser.text(".changed")).contains("admin").contains("inventory VCPU").contains("→ 2.5");
    }

    @Test
    void forecastsTheEffectOfARatioOnWatchedFlavorsBeforeItIsSaved() throws Exception {
        signInAsAdmin();
        openHost("az1-r1-h5");
        browser.click("button[aria-label^='Change VCPU']");
        browser.type("input[name=ratio]", "9");
        browser.awaitText(".foreseen .counts", "m1.medium");
        browser.look("host-foreseen");
        assertThat(cloud.read("/v1/fleet/" + cloud.uuidOf("az1-r1-h5"))
                .at("/providers/0/inventories/VCPU/allocation_ratio").asDouble()).isEqualTo(4);
    }

    @Test
    void forecastsADrainAndMoreHosts() throws Exception {
        signInAsAdmin();
        browser.run("location.hash = '#/what-if'");
        browser.type("#selected", "az2-r2-h8");
        browser.click("button[name=more]");
        browser.awaitText(".made", "drain az2-r2-h8");
        browser.click("#kind option[value=add]");
        browser.type("#like", "az1-r1-h6");
        browser.click(".changes button.primary");
        browser.awaitText(".counts", "m1.medium");
        browser.awaitText(".outcome", "find a place");
        browser.look("what-if");
    }

    @Test
    void refusesAForecastOfDrainsThatDoNotAllNameHosts() throws Exception {
        signInAsAdmin();
        browser.run("location.hash = '#/what-if'");
        browser.type("#selected", "az2-r2-h8");
        browser.click("button[name=more]");
        browser.awaitText(".made", "drain az2-r2-h8");
        browser.click("#scope option[value=zone]");
        browser.type("#selected", "az-1");
        browser.click(".changes button.primary");
        browser.awaitText(".counts", "m1.medium");
        browser.awaitText(".trouble",
                "several drains are forecast together only if all of them name hosts");
    }

    @Test
    void offersAReaderNoChangesAndTheServiceRefusesThem() throws Exception {
        browser.signIn(cloud.page(), "rita");
        browser.awaitText(".totals", "48 hosts");
        openHost("az1-r1-h4");
        assertThat(browser.has("button[aria-label^='Change']")).isFalse();
        String result = browser.await("""
                const done = arguments[1];
                import('/ui/api.js').then(api => api.call('PUT', `/v1/fleet/${arguments[0]}/inventories/VCPU`,
                    {resource_provider_generation: 0, allocation_ratio: 9})).then(done, problem =>
                    done(`${problem.status} ${problem.message}`));""", cloud.uuidOf("az1-r1-h4")).asText();
        assertThat(result).isEqualTo("403 the policy does not allow scheduler:fleet:update");
    }

    @Test
    void showsTheRefusalOfAChangeThatIsNoLongerAllowed() throws Exception {
        signInAsAdmin();
        openHost("az1-r1-h4");
        browser.click("button[aria-label^='Change VCPU']");
        browser.type("input[name=ratio]", "3");
        cloud.setPolicy(Cloud.RITA_READS + "\"scheduler:fleet:update\": \"!\"\n");
        try {
            eventually("the policy is read again",
                    () -> !cloud.scheduler().get("/v1/caller").body().contains("scheduler:fleet:update"));
            browser.click(".change button.primary");
            browser.awaitText(".change .trouble", "the policy does not allow scheduler:fleet:update");
            assertThat(browser.text(".change .trouble")).contains("403").contains("req-");
        } finally {
            cloud.setPolicy(Cloud.RITA_READS);
        }
        eventually("the policy is restored",
                () -> cloud.scheduler().get("/v1/caller").body().contains("scheduler:fleet:update"));
    }

    @Test
    void showsThatItIsNotLiveAndRecoversAfterARestart() throws Exception {
        signInAsAdmin();
        browser.awaitText(".live", "live,");
        cloud.stopScheduler();
        browser.awaitText(".live", "not live since");
        browser.awaitText(".trouble", "The service does not answer.");
        browser.awaitText(".totals", "48 hosts");
        browser.look("not-live");
        cloud.startSchedulerAgain();
        eventually("it is live again",
                () -> browser.text(".live").startsWith("live,") && browser.text(".trouble").isEmpty());
    }

    @Test
    void showsThatItIsNotLiveWhileTheServiceHangs() throws Exception {
        signInAsAdmin();
        browser.awaitText(".live", "live,");
        cloud.suspendScheduler();
        try {
            browser.awaitText(".live", "not live since");
            browser.awaitText(".trouble", "The service has not answered for 40 seconds.");
        } finally {
            cloud.resumeScheduler();
        }
        eventually("it is live again",
                () -> browser.text(".live").startsWith("live,") && browser.text(".trouble").isEmpty());
    }

    @Test
    void showsHealthAndCapacity() throws Exception {
        signInAsAdmin();
        browser.run("location.hash = '#/health'");
        browser.awaitText("main", "Placement holds all that is registered.");
        browser.awaitText("main", "since it started");
        browser.awaitText("table.list", "placement");
        browser.click(".audit button");
        browser.awaitText(".audit", "Nothing was found");
        browser.look("health");
        browser.run("location.hash = '#/capacity'");
        browser.awaitText("main", "How many more?");
        browser.click(".capacity > form button.primary");
        browser.awaitText(".capacity .count", "more fit");
        browser.awaitText("table.list", "az-2");
        browser.click(".watch summary");
        browser.type("#watch", "m1.small");
        browser.click(".watch button.primary");
        eventually("it is counted", () -> browser.text("tr:has(th)").contains("m1.small")
                && !browser.text("main").contains("not counted yet"));
        browser.look("capacity");
        // The page shows the limiting resource in numbers of hosts, without units.
        assertThat(browser.text("table.list")).contains("MEMORY_MB").doesNotContain("MiB");
        // A misspelled key counts as if it were not there.
        browser.type("#extra_specs", "hw:cpu_polcy=dedicated");
        browser.click(".capacity > form button.primary");
        browser.awaitText(".capacity .warning", "hw:cpu_polcy");
    }

    @Test
    void showsThatACountStoppedAtItsMaximum() throws Exception {
        signInAsAdmin();
        String watch = "/v1/capacity/watches/m1.tiny";
        cloud.scheduler().call("PUT", watch, """
                {"max": 3, "request_spec": {"flavor": {"name": "m1.tiny", "vcpus": 1, "memory_mb": 64, "root_gb": 1}}}""");
        try {
            browser.run("location.hash = '#/capacity'");
            browser.awaitText("tr:has(th)", "at least 3");
            browser.run("location.hash = '#/what-if'");
            browser.click("#kind option[value=add]");
            browser.type("#like", "az1-r1-h6");
            browser.click(".changes button.primary");
            eventually("both counts are shown without a difference",
                    () -> browser.text(".counts tr:has(th)")
                            .matches("(?s).*m1\\.tiny\\s+at least 3\\s+at least 3\\s+unknown.*"));
        } finally {
            cloud.scheduler().call("DELETE", watch, null);
        }
    }

    @Test
    void showsWhyTheLastRequestWasRefusedInThreeClicks() throws Exception {
        signInAsAdmin();
        browser.click("nav a[href='#/decisions']");
        browser.awaitText("table.list", "no valid host");
        browser.look("decisions");
        browser.click("tr:has(.state.down) a");
        browser.awaitText(".trouble", "None of 48 hosts will do");
        browser.awaitText(".nearest", "the best provider that meets the rest, az2-r2-h8, has");
        browser.look("refusal");
        browser.click("a[href='#/decisions']");
        browser.click("tr:has(.state.up) a");
        browser.awaitText(".weights", "az");
        browser.type("#why-not", "az2-r1-h8");
        browser.click("section section .controls button");
        browser.awaitText(".verdict", "az2-r1-h8");
        browser.look("decision");
    }

    @Test
    void showsWhyAHostWasRejectedAndWhatWouldAdmitIt() throws Exception {
        signInAsAdmin();
        browser.run("location.hash = '#/decisions'");
        browser.click("tr:has(.state.down) a");
        browser.type("#why-not", "az2-r2-h8");
        browser.click(".whynot button.primary");
        browser.awaitText(".now .verdict", "az2-r2-h8 would not be taken");
        browser.awaitText(".now .obstacles", "placement");
        browser.awaitText(".now", "would admit it, as was tried");
        browser.run("document.querySelector('.sets details').open = true;"
                + " document.querySelector('.whynot').scrollIntoView()");
        browser.look("why-not");
    }

    @Test
    void keepsLongNamesWithinThePage() throws Exception {
        signInAsAdmin();
        browser.run("""
                const real = window.fetch;
                window.fetch = async (path, options) => {
                  const answer = await real(path, options);
                  return new Response((await answer.text()).replaceAll(/(az[0-9]-r[0-9]-h[0-9])(?=")/g, '$1' + '-of-a-long-name'.repeat(12)), answer);
                };""");
        browser.awaitText("table.list", "of-a-long-name");
        browser.run("const map = document.querySelector('.map canvas');"
                + "map.focus(); map.dispatchEvent(new KeyboardEvent('keydown', {key: 'ArrowRight', bubbles: true}))");
        browser.awaitText(".tip", "of-a-long-name");
        assertNothingOverflows("long-names-fleet");
        browser.enter(".map canvas");
        browser.awaitText("h1", "of-a-long-name");
        assertNothingOverflows("long-names-host");
        browser.run("location.hash = '#/decisions'");
        browser.awaitText("table.list", "of-a-long-name");
        assertNothingOverflows("long-names-decisions");
        browser.click("tr:has(.state.up) a");
        browser.awaitText(".weights", "of-a-long-name");
        assertNothingOverflows("long-names-decision");
    }

    @Test
    void noViewScrollsHorizontallyOnAPhone() throws Exception {
        Map<String, String> wide = new TreeMap<>();
        signInAsAdmin();
        browser.narrow(390);
        try {
            look("fleet", wide);
            browser.click("#resource option[value='allocation ratio of VCPU']");
            browser.awaitText("table.ratios", "az");
            look("ratios", wide);
            openHost("az2-r1-h8");
            browser.awaitText(".decided", "not offered");
            look("host", wide);
            openHost("az1-r1-h5");
            browser.click("button[aria-label^='Change VCPU']");
            browser.type("input[name=ratio]", "9");
            browser.awaitText(".foreseen .counts", "m1.medium");
            look("change", wide);
            show("decisions", "table.list", "no valid host");
            browser.click("tr:has(.state.down) a");
            browser.awaitText(".nearest", "the best provider that meets the rest");
            browser.type("#why-not", "az2-r2-h8");
            browser.click(".whynot button.primary");
            browser.awaitText(".now", "would admit it, as was tried");
            browser.run("document.querySelectorAll('details').forEach(each => { each.open = true; })");
            look("refusal", wide);
            browser.click("a[href='#/decisions']");
            browser.click("tr:has(.state.up) a");
            browser.awaitText(".weights", "az");
            browser.run("document.querySelectorAll('details').forEach(each => { each.open = true; })");
            look("decision", wide);
            show("capacity", "main", "How many more?");
            browser.click(".capacity > form button.primary");
            browser.awaitText(".capacity .count", "more fit");
            look("capacity", wide);
            show("what-if", "main", "What if");
            browser.type("#selected", "az2-r2-h8");
            browser.click(".changes button.primary");
            browser.awaitText(".counts", "m1.medium");
            look("what-if", wide);
            show("health", "main", "Placement holds all that is registered.");
            browser.click(".audit button");
            browser.awaitText(".audit", "Nothing was found");
            look("health", wide);
            browser.run("document.querySelector('header button').click()");
            browser.awaitText("h2", "Sign in with a token");
            look("sign-in", wide);
        } finally {
            browser.narrow(0);
        }
        assertThat(wide).isEmpty();
    }

    private static void look(String view, Map<String, String> wide) throws IOException {
        browser.look("telephone-" + view);
        String overflow = overflow();
        if (!overflow.isEmpty()) {
            wide.put(view, overflow);
        }
    }

    private static void show(String place, String selector, String wanted) {
        browser.run("location.hash = '#/' + arguments[0]", place);
        browser.awaitText(selector, wanted);
    }

    @Test
    void colorsRatiosSeparatelyAndListsThem() throws Exception {
        signInAsAdmin();
        String hot = "return [...document.querySelectorAll('.strip i')].map(each => each.style.background).join()";
        String shares = browser.run(hot).asText();
        browser.click("#resource option[value='allocation ratio of MEMORY_MB']");
        browser.awaitText("table.ratios", "az1-r1-h1");
        assertThat(browser.text(".legend")).contains("a ratio of 1");
        assertThat(browser.run(hot).asText().split("rgb"))
                .doesNotContainAnyElementsOf(List.of(shares.split("rgb")).subList(1, 13));
        assertThat(browser.text("main")).doesNotContain("Fullest");
        browser.look("ratios");
    }

    @Test
    void showsMemoryInLargerUnits() throws Exception {
        signInAsAdmin();
        browser.awaitText(".totals", "TiB");
        openHost("az1-r1-h3");
        browser.awaitText("tr:has(button[aria-label^='Change MEMORY_MB'])", "GiB");
        browser.click("button[aria-label^='Change MEMORY_MB']");
        browser.awaitText(".change", "Reserved, MiB");
    }

    @Test
    void signInFocusesTheFirstField() {
        browser.go(cloud.page());
        browser.run("location.hash = ''; location.reload()");
        eventually("the field has the focus",
                () -> browser.run("return document.activeElement.id").asText().equals("secret"));
    }

    private static void assertNothingOverflows(String page) throws IOException {
        browser.look(page);
        assertThat(overflow()).as(page).isEmpty();
    }

    /** Returns the elements that make the page wider than its window; empty if there is none. */
    private static String overflow() {
        return browser.run("""
                const root = document.documentElement;
                return root.scrollWidth <= root.clientWidth ? '' : [...document.querySelectorAll('body *')]
                  .filter(each => each.getBoundingClientRect().right > root.clientWidth && !each.closest('.wide'))
                  .map(each => each.outerHTML.slice(0, 200)).join('\\n') || 'something unseen'""").asText();
    }

    @Test
    void showsTheLastDecisionsOfAHost() throws Exception {
        signInAsAdmin();
        openHost("az2-r1-h8");
        browser.awaitText(".decided", "not offered");
    }

    /**
     * Measures the page with a large fleet of generated columns. The printed times depend on the machine and are not
     * checked.
     */
    @Test
    void paintsAndPansFiftyThousandHosts() throws Exception {
        signInAsAdmin();
        browser.run("""
                const count = arguments[0], real = window.fetch, range = of => Array.from({length: count}, (_, i) => of(i));
                const fleet = JSON.stringify({
                  as_of: {fleet_version: 'made.1', registry_version: 1, time: new Date().toISOString()},
                  uuid: range(i => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`), name: range(i => `made-${i}`),
                  host: range(i => `made-${i}`), providers: range(() => 1), instances: range(i => i % 40),
                  state: range(i => i % 97 === 0 ? 1 : 0), states: ['up', 'down'], zone: range(i => i % 5), zones: ['a', 'b', 'c', 'd', 'e'],
                  cell: range(() => 0), cells: [null], host_aggregates: range(i => i % 500), host_aggregate_sets: Array.from({length: 500}, (_, i) => [`rack-${i}`]),
                  traits: range(() => 0), trait_sets: [[]], aggregates: range(() => 0), aggregate_sets: [[]],
                  resource_classes: Object.fromEntries(['VCPU', 'MEMORY_MB', 'DISK_GB'].map((name, c) => [name, {
                    capacity: range(() => 1000), used: range(i => (i * 7919 + c * 104729) % 1010), allocation_ratio: range(() => 4)}])),
                });
                window.fetch = (path, options) => path === '/v1/fleet'
                  ? (window.answered = performance.now(), Promise.resolve(new Response(fleet, {status: 200}))) : real(path, options);
                """, MANY);
        browser.run("location.hash = '#/health'");
        browser.awaitText("h1", "Health");
        browser.run("location.hash = '#/fleet'");
        browser.awaitText(".totals", "50,000");
        JsonNode first = browser.await("""
                const done = arguments[0], map = document.querySelector('.map canvas'), look = () => map.dataset.frames
                  ? done([performance.now() - window.answered, Number(map.dataset.paintMs)]) : setTimeout(look, 5); look();""");
        browser.look("fleet-50000");
        JsonNode pan = browser.await("""
                const done = arguments[0], map = document.querySelector('.map canvas'), frames = [], from = map.dataset.frames;
                const point = (name, x) => map.dispatchEvent(new PointerEvent(name,
                  {pointerId: 1, clientX: map.getBoundingClientRect().left + x, clientY: map.getBoundingClientRect().top + 100, bubbles: true}));
                map.setPointerCapture = () => {};
                point('pointerdown', 400);
                let x = 400;
                const step = time => {
                  frames.push(time);
                  if (frames.length > 120) {
                    point('pointerup', x);
                    done([frames.length - 1, frames.at(-1) - frames[0], Number(map.dataset.frames) - Number(from), Number(map.dataset.paintMs)]);
                  } else {
                    point('pointermove', x = 400 + 100 * Math.sin(frames.length / 10));
                    requestAnimationFrame(step);
                  }
                };
                requestAnimationFrame(step);""");
        System.out.printf("page: %,d hosts, first paint at most %.0f ms after the data (one paint %.0f ms);"
                + " panning %.0f frames a second (%d paints in %d frames, the last %.0f ms)%n",
                MANY, first.get(0).asDouble(), first.get(1).asDouble(),
                1000 * pan.get(0).asDouble() / pan.get(1).asDouble(), pan.get(2).asInt(), pan.get(0).asInt(),
                pan.get(3).asDouble());
        assertThat(pan.get(2).asInt()).as("paints while it was dragged").isGreaterThan(10);
    }
}
