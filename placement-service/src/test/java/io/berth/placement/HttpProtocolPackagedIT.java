package io.berth.placement;

import io.quarkus.test.junit.QuarkusIntegrationTest;
import org.junit.jupiter.api.Tag;

/**
 * Runs the tests of {@link HttpProtocolIT} against the packaged service: the jar, or the native executable if the build
 * made one.
 */
@QuarkusIntegrationTest
@Tag("long")
class HttpProtocolPackagedIT extends HttpProtocolIT {}
