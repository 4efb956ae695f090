package io.berth.deploy.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.process.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A headless Chromium, controlled through its driver. Source: W3C WebDriver. */
final class Browser implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern PORT = Pattern.compile("started successfully on port (\\d+)");
    /** The member of responses that refers to an element. Source: W3C WebDriver, 12.1. */
    private static final String ELEMENT = "element-6066-11e4-a52e-4f735466cecf";
    private static final String ENTER = "\uE007";
    private static final Duration CALL_MAX = Duration.ofMinutes(3);
    private static final Path SCREENSHOTS = Path.of("target", "screenshots");

    private final HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Process driver;
    private final String session;
    private int clicks;

    private Browser(Process driver, String url) {
        this.driver = driver;
        ObjectNode options = JSON.createObjectNode().put("binary", System.getProperty("berth.chromium"));
        List.of("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--window-size=1400,950",
                "--hide-scrollbars", "--no-first-run", "--disable-background-networking")
                .forEach(options.putArray("args")::add);
        ObjectNode always = JSON.createObjectNode().put("browserName", "chrome");
        always.set("goog:chromeOptions", options);
        always.putObject("goog:loggingPrefs").put("browser", "ALL");
        ObjectNode body = JSON.createObjectNode();
        body.putObject("capabilities").set("alwaysMatch", always);
        session = url + "/session/" + call("POST", url + "/session", body).path("sessionId").asText();
        ObjectNode times = JSON.createObjectNode().put("script", CALL_MAX.toMillis());
        call("POST", session + "/timeouts", times);
    }

    /** Starts the browser of the properties {@code berth.chromium} and {@code berth.chromedriver}. */
    static Browser open() throws IOException {
        Process driver = new ProcessBuilder(System.getProperty("berth.chromedriver"), "--port=0")
                .redirectErrorStream(true).start();
        var lines = new BufferedReader(new InputStreamReader(driver.getInputStream(), StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Matcher port = PORT.matcher(line);
            if (port.find()) {
                Thread.ofPlatform().daemon().start(() -> lines.lines().forEach(ignored -> {}));
                return new Browser(driver, "http://127.0.0.1:" + port.group(1));
            }
        }
        throw new IOException("chromedriver ended before it listened");
    }

    void go(String url) {
        post("/url", JSON.createObjectNode().put("url", url));
    }

    /** Reloads the page and waits until it has loaded. */
    private void refresh() {
        post("/refresh", JSON.createObjectNode());
    }

    /** @param script a function's body; its arguments are {@code arguments} */
    JsonNode run(String script, Object... arguments) {
        return execute("/execute/sync", script, arguments);
    }

    /** Runs a script and waits until it calls its last argument. */
    JsonNode await(String script, Object... arguments) {
        return execute("/execute/async", script, arguments);
    }

    private JsonNode execute(String how, String script, Object... arguments) {
        ObjectNode body = JSON.createObjectNode().put("script", script);
        body.set("args", JSON.valueToTree(arguments));
        return post(how, body);
    }

    /** Resets the count of clicks. */
    void countClicks() {
        clicks = 0;
    }

    /** Returns the clicks of a person with a mouse: two to choose an option of a list, one to type into a field. */
    int clicks() {
        return clicks;
    }

    void click(String selector) {
        clicks += selector.contains(" option[") ? 2 : 1;
        retry("click on " + selector, () -> post("/element/" + find(selector) + "/click", JSON.createObjectNode()));
    }

    /** Replaces the text of a field. */
    void type(String selector, String text) {
        clicks++;
        retry("type into " + selector, () -> {
            String element = "/element/" + find(selector);
            post(element + "/clear", JSON.createObjectNode());
            post(element + "/value", JSON.createObjectNode().put("text", text));
        });
    }

    /** Repeats an action until the driver accepts it. Meanwhile the page may replace the element or cover it. */
    private static void retry(String what, Runnable action) {
        Await.eventually(() -> {
            try {
                action.run();
            } catch (IllegalStateException refused) {
                throw new AssertionError(what, refused);
            }
        });
    }

    void enter(String selector) {
        post("/element/" + find(selector) + "/value", JSON.createObjectNode().put("text", ENTER));
    }

    boolean has(String selector) {
        return run("return document.querySelector(arguments[0]) !== null", selector).asBoolean();
    }

    /** Returns the texts of all elements that match, one per line. */
    String text(String selector) {
        return run("return [...document.querySelectorAll(arguments[0])].map(each => each.innerText).join('\\n')",
                selector).asText();
    }

    /** Returns the value of a field. */
    String value(String selector) {
        return run("return document.querySelector(arguments[0]).value", selector).asText();
    }

    void awaitText(String selector, String wanted) {
        Await.eventually(() -> assertThat(text(selector)).as(() -> selector + " of " + text("main")).contains(wanted));
    }

    private void dark(boolean dark) {
        ObjectNode body = JSON.createObjectNode().put("cmd", "Emulation.setEmulatedMedia");
        body.putObject("params").putArray("features").addObject()
                .put("name", "prefers-color-scheme").put("value", dark ? "dark" : "light");
        post("/goog/cdp/execute", body);
    }

    /** Emulates a phone of this width; 0 restores the window. */
    void narrow(int width) {
        ObjectNode body = JSON.createObjectNode()
                .put("cmd", width == 0 ? "Emulation.clearDeviceMetricsOverride" : "Emulation.setDeviceMetricsOverride");
        body.putObject("params").put("width", width).put("height", 844).put("deviceScaleFactor", 2).put("mobile", true);
        post("/goog/cdp/execute", body);
    }

    /** Signs in again, because a reload discards the session. */
    void signIn(String page, String user) {
        go(page);
        // Otherwise the browser would only scroll within the loaded page.
        run("location.hash = ''");
        refresh();
        type("#secret", user);
        click("form button.primary");
    }

    /** Opens an address that another user has sent. */
    void signInAt(String address, String user) {
        go(address);
        refresh();
        type("#secret", user);
        click("form button.primary");
    }

    void back() {
        post("/back", JSON.createObjectNode());
    }

    void forward() {
        post("/forward", JSON.createObjectNode());
    }

    /** Lets the test read the clipboard, which the user would have to allow. */
    void allowClipboard(String origin) {
        ObjectNode body = JSON.createObjectNode().put("cmd", "Browser.grantPermissions");
        ObjectNode params = body.putObject("params").put("origin", origin);
        params.putArray("permissions").add("clipboardReadWrite").add("clipboardSanitizedWrite");
        post("/goog/cdp/execute", body);
    }

    String clipboard() {
        return await("navigator.clipboard.readText().then(arguments[0], failure => arguments[0](String(failure)))")
                .asText();
    }

    /** Saves screenshots of the page in light and dark mode, and fails if either has an accessibility barrier. */
    void look(String name) throws IOException {
        for (boolean dark : new boolean[] {false, true}) {
            dark(dark);
            // After two frames the page is painted in the new colors.
            await("const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done(1)))");
            screenshot(SCREENSHOTS.resolve(name + (dark ? "-dark" : "") + ".png"));
            assertThat(barriers()).as(name + (dark ? ", dark" : "")).isEmpty();
        }
        dark(false);
    }

    private void screenshot(Path png) throws IOException {
        byte[] bytes = Base64.getDecoder().decode(call("GET", session + "/screenshot", null).asText());
        Files.createDirectories(png.getParent());
        Files.write(png, bytes);
    }

    /**
     * Returns the console's messages since the last call, except refused and lost requests, which the network reports
     * itself.
     */
    List<String> complaints() {
        List<String> complaints = new ArrayList<>();
        for (JsonNode entry : post("/se/log", JSON.createObjectNode().put("type", "browser"))) {
            if (!entry.path("source").asText().equals("network")) {
                complaints.add(entry.path("level").asText() + " " + entry.path("message").asText());
            }
        }
        return complaints;
    }

    /** Returns the page's serious and critical violations of axe rules. */
    private List<String> barriers() throws IOException {
        try (InputStream axe = Browser.class.getResourceAsStream("/axe.min.js")) {
            run(new String(axe.readAllBytes(), StandardCharsets.UTF_8));
        }
        List<String> barriers = new ArrayList<>();
        for (JsonNode broken : await("const done = arguments[0]; axe.run(document).then(found =>"
                + " done(found.violations))")) {
            if (List.of("serious", "critical").contains(broken.path("impact").asText())) {
                barriers.add(broken.path("id").asText() + ": " + broken.at("/nodes/0/html").asText() + " "
                        + broken.at("/nodes/0/failureSummary").asText());
            }
        }
        return barriers;
    }

    private String find(String selector) {
        ObjectNode by = JSON.createObjectNode().put("using", "css selector").put("value", selector);
        Await.eventually(selector, () -> has(selector));
        return post("/element", by).path(ELEMENT).asText();
    }

    private JsonNode post(String path, ObjectNode body) {
        return call("POST", session + path, body);
    }

    /** Sends a command and throws IllegalStateException if the driver refuses it. */
    private JsonNode call(String method, String url, ObjectNode body) {
        var request = HttpRequest.newBuilder(URI.create(url)).timeout(CALL_MAX)
                .method(method, body == null
                        ? HttpRequest.BodyPublishers.noBody()
                        : HttpRequest.BodyPublishers.ofString(body.toString()))
                .header("content-type", "application/json")
                .build();
        try {
            var response = http.send(request, HttpResponse.BodyHandlers.ofString());
            JsonNode value = JSON.readTree(response.body()).path("value");
            if (response.statusCode() != 200) {
                throw new IllegalStateException(value.path("error").asText() + ": " + value.path("message").asText());
            }
            return value;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        try {
            call("DELETE", session, null);
        } finally {
            driver.destroy();
        }
    }
}
