package io.berth.scheduler.page;

import static io.restassured.RestAssured.given;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.startsWith;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.config.DecoderConfig;
import io.restassured.config.RestAssuredConfig;
import io.restassured.response.Response;
import jakarta.inject.Inject;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests how the web page and its files are served. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class PageRoutesIT {
    private static final int ZIPPED_BYTES_MAX = 400_000;
    private static final Pattern IMPORT = Pattern.compile("(?:from\\s+|import\\s+|import\\()['\"]([^'\"]+)['\"]");

    @Inject
    PageFiles files;

    @Test
    void servesThePageWithoutATokenAndForbidsFraming() {
        for (String path : List.of("/ui", "/ui/")) {
            given().get(path).then().statusCode(200)
                    .contentType("text/html;charset=UTF-8")
                    .header("x-content-type-options", "nosniff")
                    .header("x-frame-options", "DENY")
                    .header("referrer-policy", "no-referrer")
                    .header("content-security-policy", startsWith("default-src 'none'; script-src 'self' 'sha256-"))
                    .header("content-security-policy", containsString("frame-ancestors 'none'"))
                    .body(containsString("src=\"/ui/main.js\""));
        }
        String policy = given().get("/ui").header("content-security-policy");
        assertThat(policy).doesNotContain("unsafe").doesNotContain("http");
    }

    @Test
    void servesEveryFileAndItsImports() {
        for (String name : files.all().keySet()) {
            Response file = given().get("/ui/" + name);
            assertThat(file.statusCode()).as(name).isEqualTo(200);
            assertThat(file.header("x-content-type-options")).as(name).isEqualTo("nosniff");
            Matcher imported = IMPORT.matcher(file.asString());
            while (name.endsWith(".js") && imported.find()) {
                String wanted = imported.group(1);
                assertThat(wanted.startsWith("./")
                        ? files.find(wanted.substring(2))
                        : files.find("lib/" + wanted.replace('/', '-') + ".js"))
                        .as(name + " imports " + wanted).isNotNull();
            }
        }
    }

    @Test
    void staysBelowItsSizeLimit() {
        assertThat(files.all().values().stream().mapToLong(file -> file.zipped().length).sum())
                .isLessThan(ZIPPED_BYTES_MAX);
    }

    @Test
    void compressesFilesIfAcceptedAndReturns304IfUnchanged() {
        Response zipped = given().header("accept-encoding", "gzip").get("/ui/main.js");
        assertThat(zipped.header("content-encoding")).isEqualTo("gzip");
        given().header("if-none-match", zipped.header("etag")).get("/ui/main.js").then().statusCode(304);
        given().config(RestAssuredConfig.config().decoderConfig(DecoderConfig.decoderConfig().noContentDecoders()))
                .get("/ui/main.js").then().statusCode(200)
                .header("content-encoding", equalTo((String) null))
                .body(containsString("import"));
        given().head("/ui/main.js").then().statusCode(200).header("etag", zipped.header("etag"));
    }

    /** Paths below /ui need no token, so nothing but the files may be reachable through them. */
    @Test
    void servesNothingButItsFiles() {
        Stream.of("/ui/none.js", "/ui/page/main.js", "/ui/../v1/cells", "/ui/%2e%2e/v1/cells", "/ui//v1/cells",
                "/ui/..;/v1/cells",
                "/ui/../../application.properties", "/ui/lib/../../application.properties", "/ui;a=b/../v1/cells",
                "/uix", "/ui/application.properties")
                .forEach(path -> assertThat(given().urlEncodingEnabled(false).get(path).statusCode()).as(path)
                        .isIn(401, 404));
        given().post("/ui").then().statusCode(405).header("allow", "GET, HEAD");
        given().delete("/ui/main.js").then().statusCode(405);
    }
}
