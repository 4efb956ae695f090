package io.berth.deploy.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

/**
 * Base of tests of the page in a browser, on a cloud with the demo's fleet. The browser's console must stay free of
 * errors.
 */
abstract class DemoPage {
    static Cloud cloud;
    static Browser browser;

    @BeforeAll
    static void startDemo() throws Exception {
        cloud = Cloud.withDemo();
        browser = Browser.open();
    }

    @AfterAll
    static void stopDemo() throws IOException {
        try {
            browser.close();
        } finally {
            cloud.close();
        }
    }

    @AfterEach
    void checkConsole() {
        assertThat(browser.complaints()).isEmpty();
    }

    static void signInAsAdmin() {
        browser.signIn(cloud.page(), "admin");
        browser.awaitText(".totals", "48 hosts");
    }

    static String address() {
        return browser.run("return location.href").asText();
    }
}
