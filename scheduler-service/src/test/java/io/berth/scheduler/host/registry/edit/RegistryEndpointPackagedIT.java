package io.berth.scheduler.host.registry.edit;

import io.quarkus.test.junit.QuarkusIntegrationTest;
import org.junit.jupiter.api.Tag;

/** Runs the same tests against the packaged service: the jar, or the native executable if the build made one. */
@QuarkusIntegrationTest
@Tag("long")
class RegistryEndpointPackagedIT extends RegistryEndpointIT {}
