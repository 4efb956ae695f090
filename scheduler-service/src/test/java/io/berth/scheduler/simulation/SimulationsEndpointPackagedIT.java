package io.berth.scheduler.simulation;

import io.quarkus.test.junit.QuarkusIntegrationTest;
import org.junit.jupiter.api.Tag;

/** Runs the same tests on the packaged service: the jar, or the executable if the build created one. */
@QuarkusIntegrationTest
@Tag("long")
class SimulationsEndpointPackagedIT extends SimulationsEndpointIT {}
