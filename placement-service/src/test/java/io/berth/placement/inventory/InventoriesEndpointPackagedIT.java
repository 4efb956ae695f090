package io.berth.placement.inventory;

import io.quarkus.test.junit.QuarkusIntegrationTest;
import org.junit.jupiter.api.Tag;

/** Runs the same tests against the packaged service: the jar, or the executable if the build made one. */
@QuarkusIntegrationTest
@Tag("long")
class InventoriesEndpointPackagedIT extends InventoriesEndpointIT {}
