package io.berth.scheduler.page;

import io.berth.scheduler.http.ApiError;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.http.RequestId;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/**
 * {@code GET} and {@code HEAD} of {@code /ui} and {@code /ui/...}: serves the files of the operator's page without
 * authentication. The Content-Security-Policy allows only the page's own scripts, styles and images, and only
 * connections to this service and to the configured Prometheus. It forbids embedding the page in a frame.
 */
@Singleton
class PageRoutes {
    private static final String ROOT = "/ui";
    /** The order value of the page's routes, which come before all other routes. */
    private static final int BEFORE_OTHERS = -1_000;

    private final PageFiles files;
    private final String contentPolicy;

    PageRoutes(PageFiles files) {
        this.files = files;
        this.contentPolicy = "default-src 'none'; script-src 'self' '" + files.importMapHash() + "'; style-src 'self';"
                + " img-src 'self'; connect-src 'self'" + files.connectSourceSuffix()
                + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    }

    void routes(@Observes Router router) {
        router.route(ROOT).order(BEFORE_OTHERS).handler(this::serve);
        router.route(ROOT + "/*").order(BEFORE_OTHERS).handler(this::serve);
    }

    private void serve(RoutingContext request) {
        String path = request.normalizedPath();
        HttpServerResponse response = request.response();
        putHeaders(response);
        HttpMethod method = request.request().method();
        if (method != HttpMethod.GET && method != HttpMethod.HEAD) {
            response.putHeader(HttpHeaders.ALLOW, "GET, HEAD");
            refuse(request, ErrorCode.METHOD_NOT_ALLOWED, "the page's files allow only GET and HEAD");
            return;
        }
        PageFile file =
                files.find(path.length() <= ROOT.length() + 1 ? PageFiles.INDEX : path.substring(ROOT.length() + 1));
        if (file == null) {
            refuse(request, ErrorCode.NOT_FOUND, "the page has no file " + path);
            return;
        }
        response.putHeader(HttpHeaders.ETAG, file.tag()).putHeader(HttpHeaders.VARY, "accept-encoding");
        if (file.tag().equals(request.request().getHeader(HttpHeaders.IF_NONE_MATCH))) {
            response.setStatusCode(304).end();
            return;
        }
        String accepted = request.request().getHeader(HttpHeaders.ACCEPT_ENCODING);
        boolean isZipped = accepted != null && accepted.contains("gzip");
        byte[] content = isZipped ? file.zipped() : file.plain();
        if (isZipped) {
            response.putHeader(HttpHeaders.CONTENT_ENCODING, "gzip");
        }
        response.putHeader(HttpHeaders.CONTENT_TYPE, file.type());
        if (method == HttpMethod.HEAD) {
            response.putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(content.length)).end();
        } else {
            response.end(Buffer.buffer(content));
        }
    }

    /**
     * Sets the headers of every response. {@code no-cache} makes browsers check by ETag whether a file has changed, so
     * that an upgrade is effective with the next reload.
     */
    private void putHeaders(HttpServerResponse response) {
        response.putHeader("content-security-policy", contentPolicy)
                .putHeader("x-content-type-options", "nosniff")
                .putHeader("x-frame-options", "DENY")
                .putHeader("referrer-policy", "no-referrer")
                .putHeader("cross-origin-opener-policy", "same-origin")
                .putHeader("cross-origin-resource-policy", "same-origin")
                .putHeader(HttpHeaders.CACHE_CONTROL, "no-cache");
    }

    private static void refuse(RoutingContext request, ErrorCode code, String detail) {
        request.response()
                .setStatusCode(code.status())
                .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                .end(new ApiError(code, detail).render(RequestId.of(request)));
    }
}
