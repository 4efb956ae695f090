package io.berth.deploy.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.process.Api;
import java.io.IOException;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests the page's tasks on a fleet of {@code -Dberth.page.hosts}. Prints how long each result took to appear,
 * including the response of the service; the times depend on the machine and are not checked.
 */
class LargeFleetIT {
    private static final int HOSTS = Integer.getInteger("berth.page.hosts", 5000);
    private static final String ALL = "%,d hosts".formatted(HOSTS);
    private static final int PLACED = 20;

    private static Cloud cloud;
    private static Browser browser;

    @BeforeAll
    static void start() throws IOException {
        long began = System.nanoTime();
        cloud = Cloud.withHosts(HOSTS);
        System.out.printf("page: services started, and %s made and registered, in %d ms%n", ALL,
                (System.nanoTime() - began) / 1_000_000);
        for (int i = 0; i < PLACED; i++) {
            assertThat(select(4).status()).isEqualTo(200);
        }
        assertThat(select(300).status()).isEqualTo(409);
        browser = Browser.open();
    }

    private static Api.Response select(int vcpus) {
        return cloud.scheduler().call("POST", "/v1/select_destinations", """
                {"request_spec": {"instance_uuid": "%s", "project_id": "demo", "user_id": "demo",
                 "flavor": {"name": "m1.%d", "flavorid": "m1.%d", "vcpus": %d, "memory_mb": 8192, "root_gb": 40}}}"""
                .formatted(UUID.randomUUID(), vcpus, vcpus, vcpus));
    }

    @AfterAll
    static void stop() throws IOException {
        try {
            browser.close();
        } finally {
            cloud.close();
        }
    }

    @BeforeEach
    void signIn() {
        browser.signIn(cloud.page(), "admin");
        browser.awaitText(".totals", ALL);
    }

    @AfterEach
    void checkConsole() {
        assertThat(browser.complaints()).isEmpty();
    }

    /** Waits until the page shows the text, and prints how long that took. */
    private static void awaitAndPrint(String what, String selector, String wanted) {
        long began = System.nanoTime();
        browser.awaitText(selector, wanted);
        System.out.printf("page: %s, %s after %d ms%n", ALL, what, (System.nanoTime() - began) / 1_000_000);
    }

    @Test
    void showsTheFleetAndAHost() throws IOException {
        browser.look("many-fleet");
        String last = ManyHosts.name(HOSTS - 1);
        browser.type("#name", last);
        awaitAndPrint("one by name", ".totals", "1 of " + ALL);
        browser.click("table.list a");
        awaitAndPrint("a host", "h1", last);
        browser.awaitText(".provider", "VCPU");
        browser.look("many-host");
    }

    @Test
    void showsDecisionsAndWhyAHostWasRejected() throws IOException {
        browser.click("nav a[href='#/decisions']");
        awaitAndPrint("the decisions", "table.list", "no valid host");
        browser.click("tr:has(.state.down) a");
        awaitAndPrint("a refusal", ".trouble", "None of " + HOSTS + " hosts will do");
        browser.look("many-refusal");
        browser.type("#why-not", ManyHosts.name(7));
        browser.click(".whynot button.primary");
        awaitAndPrint("why not a host", ".now .verdict", ManyHosts.name(7) + " would not be taken");
        browser.click("a[href='#/decisions']");
        browser.click("tr:has(.state.up) a");
        awaitAndPrint("a decision", ".weights", "host-");
        browser.look("many-decision");
    }

    @Test
    void countsHowManyMoreFit() throws IOException {
        browser.click("nav a[href='#/capacity']");
        browser.awaitText("main", "How many more?");
        browser.click(".capacity > form button.primary");
        awaitAndPrint("how many more fit", ".capacity .count", "more fit");
        assertThat(browser.text(".capacity table.list")).contains("az-1", "az-5");
        assertThat(browser.text("main")).contains("The 20 with most room of %,d.".formatted(HOSTS));
        browser.look("many-capacity");
    }

    @Test
    void showsTheCapacityWithMoreHosts() throws IOException {
        browser.click("nav a[href='#/what-if']");
        browser.click("#kind option[value=add]");
        browser.type("#like", ManyHosts.name(0));
        browser.click("form.changes summary");
        browser.type("#vcpus", "4");
        browser.type("#memory_mb", "8192");
        browser.type("#root_gb", "40");
        browser.click(".changes .controls button.primary");
        awaitAndPrint("what ten more hosts would hold", ".counts", "asked");
        browser.look("many-what-if");
    }

    @Test
    void showsHealth() throws IOException {
        browser.click("nav a[href='#/health']");
        browser.awaitText("main", "Placement holds all that is registered.");
        browser.click(".audit button");
        awaitAndPrint("the audit", ".audit", "Nothing was found");
        browser.look("many-health");
    }
}
