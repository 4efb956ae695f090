package io.berth.placement.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.postgres.PostgresForTests;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares responses with those of OpenStack Placement 8.0.0, for raw requests that HTTP libraries would not send. */
@QuarkusTest
@QuarkusTestResource(PostgresForTests.class)
class OnTheWireIT {
    private static final String HEADERS =
            "Host: api.example\r\nConnection: close\r\nX-Auth-Token: admin\r\nOpenStack-API-Version: placement"
                    + " 1.39\r\n";

    @TestHTTPResource
    URI service;

    /** Returns the whole response as ISO 8859-1 text. */
    private String ask(String head, byte... body) throws IOException {
        var request = new ByteArrayOutputStream();
        request.write(head.getBytes(ISO_8859_1));
        if (body.length > 0) {
            request.write(("Content-Length: " + body.length + "\r\n").getBytes(ISO_8859_1));
        }
        request.write("\r\n".getBytes(ISO_8859_1));
        request.write(body);
        try (var socket = new Socket(service.getHost(), service.getPort())) {
            socket.getOutputStream().write(request.toByteArray());
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        }
    }

    private String create(String contentTypes, byte[] body) throws IOException {
        return ask("POST /resource_classes HTTP/1.1\r\n" + HEADERS + contentTypes, body);
    }

    private static byte[] newClass(Charset charset) {
        String name = "CUSTOM_" + UUID.randomUUID().toString().replace('-', '_').toUpperCase(Locale.ROOT);
        return ("{\"name\": \"" + name + "\"}").getBytes(charset);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "/./traits", "/x/../traits", "/resource_providers/../traits", "/traits/.", "/..", "/%2e%2E/traits"})
    void returns404ForPathsWithDotSegments(String path) throws IOException {
        assertThat(ask("GET " + path + " HTTP/1.1\r\n" + HEADERS)).startsWith("HTTP/1.1 404 ")
                .contains("\"errors\":");
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "json", "xjson", "application/json, text/plain", "text/plain, application/json", "APPLICATION/JSON",
        "Application/Json;x", "application/json charset=utf-8", "application/*", "text/json"})
    void refusesContentTypesOtherThanJson(String type) throws IOException {
        assertThat(create("Content-Type: " + type + "\r\n", newClass(UTF_8))).startsWith("HTTP/1.1 415 ")
                .contains("\"errors\":");
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "application/json; charset=utf-8", "application/json;"})
    void acceptsAJsonContentTypeWithParameters(String type) throws IOException {
        assertThat(create("Content-Type: " + type + "\r\n", newClass(UTF_8))).startsWith("HTTP/1.1 201 ");
    }

    @ParameterizedTest(name = "{0} and {1} is {2}")
    @CsvSource({
        "application/json, application/json, 201", "text/plain, application/json, 201",
        "application/json, text/plain, 415"})
    void usesTheLastOfTwoContentTypes(String first, String second, int status) throws IOException {
        String types = "Content-Type: " + first + "\r\nContent-Type: " + second + "\r\n";
        assertThat(create(types, newClass(UTF_8))).startsWith("HTTP/1.1 " + status + " ");
    }

    @Test
    void ignoresAnInvalidContentTypeOnReads() throws IOException {
        assertThat(ask("GET /traits HTTP/1.1\r\n" + HEADERS + "Content-Type: json\r\n")).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void acceptsOnlyUtf8WithoutAByteOrderMark() throws IOException {
        String json = "Content-Type: application/json\r\n";
        byte[] marked = newClass(UTF_16LE);
        for (byte[] body : List.of(
                newClass(UTF_16LE), newClass(UTF_16BE), newClass(Charset.forName("UTF-32BE")),
                newClass(Charset.forName("x-UTF-16LE-BOM")),
                ("\ufeff" + new String(marked, UTF_16LE)).getBytes(UTF_8))) {
            assertThat(create(json, body)).startsWith("HTTP/1.1 400 ").contains("not UTF-8 text");
        }
    }

    @Test
    void usesItsOwnAddressInLocationWithoutAHostHeader() throws IOException {
        String answer =
                ask("PUT /traits/CUSTOM_NO_HOST HTTP/1.0\r\nX-Auth-Token: admin\r\nOpenStack-API-Version: placement"
                        + " 1.39\r\n");
        assertThat(answer.lines().map(line -> line.toLowerCase(Locale.ROOT)))
                .contains("location: http://127.0.0.1:" + service.getPort() + "/traits/custom_no_host");
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({"GET / HTTP/1.1, 200", "GET /traits HTTP/1.1, 200", "DELETE /nothing HTTP/1.1, 404",
        "GET traits HTTP/1.1, 400"})
    void everyResponseHasADate(String line, int status) throws IOException {
        assertThat(ask(line + "\r\n" + HEADERS)).startsWith("HTTP/1.1 " + status + " ")
                .containsPattern("(?mi)^date: \\w{3}, \\d\\d \\w{3} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT$");
    }

    @Test
    void returnsTheRatioAsItWasWritten() throws IOException {
        String uuid = UUID.randomUUID().toString();
        String json = HEADERS + "Content-Type: application/json\r\n";
        ask("POST /resource_providers HTTP/1.1\r\n" + json,
                ("{\"name\": \"" + uuid + "\", \"uuid\": \"" + uuid + "\"}").getBytes(UTF_8));
        String inventories = " /resource_providers/" + uuid + "/inventories";
        assertThat(ask("PUT" + inventories + " HTTP/1.1\r\n" + json, """
                {"resource_provider_generation": 0, "inventories": {
                 "VCPU": {"total": 8, "allocation_ratio": 2}, "DISK_GB": {"total": 8, "allocation_ratio": 2.0}}}"""
                .getBytes(UTF_8)))
                .contains("\"allocation_ratio\":2}", "\"allocation_ratio\":2.0}");
        assertThat(ask("GET" + inventories + "/VCPU HTTP/1.1\r\n" + json)).contains("\"allocation_ratio\":2.0,");
        assertThat(ask("PUT" + inventories + "/VCPU HTTP/1.1\r\n" + json, """
                {"resource_provider_generation": 1, "total": 8, "allocation_ratio": 16}""".getBytes(UTF_8)))
                .contains("\"allocation_ratio\":16,");
    }
}
