package io.berth.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * {@code GET /q/api}: Swagger UI for the OpenAPI specification that the service serves. The page is public, like the
 * specification, and contains no data. A request that a user sends from the page has the credentials that the user
 * entered, and is subject to the policy. Quarkus' own page is not used, because it is served from the class path, which
 * is disabled (quarkus.vertx.classpath-resolving).
 */
@Singleton
public class ApiPage {
    private static final String ROOT = "/q/api";
    private static final String PAGE_RESOURCES = "io/berth/http/";
    private static final String SWAGGER_RESOURCES = "META-INF/resources/openapi-ui/";
    /** The Content-Security-Policy. Swagger UI needs inline styles and images with data: URLs. */
    private static final String CONTENT_POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline';"
                    + " img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none';"
                    + " frame-ancestors 'none'";
    /** The order among routes: those with lower numbers run first. */
    private static final int ROUTE_ORDER = -1_000;

    /**
     * A file of the page.
     *
     * @param zipped the content, compressed with gzip; 430 KB for all files
     */
    private record File(String type, byte[] zipped) {}

    private final Map<String, File> files = new LinkedHashMap<>();

    ApiPage() {
        // The paths have no dots, because the management port refuses paths with dots.
        files.put(ROOT, load("text/html; charset=utf-8", PAGE_RESOURCES + "api.html"));
        files.put(ROOT + "/start", load("text/javascript; charset=utf-8", PAGE_RESOURCES + "api.js"));
        files.put(ROOT + "/bundle", load("text/javascript; charset=utf-8", SWAGGER_RESOURCES + "swagger-ui-bundle.js"));
        files.put(ROOT + "/style", load("text/css; charset=utf-8", SWAGGER_RESOURCES + "swagger-ui.css"));
    }

    void routes(@Observes Router router) {
        files.forEach((path, file) -> router.get(path).order(ROUTE_ORDER).handler(request -> serve(request, file)));
    }

    private static void serve(RoutingContext request, File file) {
        HttpServerResponse response = request.response()
                .putHeader(HttpHeaders.CONTENT_TYPE, file.type())
                .putHeader(HttpHeaders.VARY, "accept-encoding")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-cache")
                .putHeader("content-security-policy", CONTENT_POLICY)
                .putHeader("x-content-type-options", "nosniff")
                .putHeader("referrer-policy", "no-referrer");
        String acceptEncoding = request.request().getHeader(HttpHeaders.ACCEPT_ENCODING);
        if (acceptEncoding != null && acceptEncoding.contains("gzip")) {
            response.putHeader(HttpHeaders.CONTENT_ENCODING, "gzip").end(Buffer.buffer(file.zipped()));
        } else {
            // Every browser accepts gzip, so the content is rarely decompressed.
            response.end(Buffer.buffer(unzip(file.zipped())));
        }
    }

    private static File load(String type, String resource) {
        var bytes = new ByteArrayOutputStream();
        try (InputStream in = ApiPage.class.getClassLoader().getResourceAsStream(resource);
                var zip = new GZIPOutputStream(bytes)) {
            if (in == null) {
                throw new IllegalStateException(resource + " is not on the class path");
            }
            in.transferTo(zip);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new File(type, bytes.toByteArray());
    }

    private static byte[] unzip(byte[] zipped) {
        try (var in = new GZIPInputStream(new ByteArrayInputStream(zipped))) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
