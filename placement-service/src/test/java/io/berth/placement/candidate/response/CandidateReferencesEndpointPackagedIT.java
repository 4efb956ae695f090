package io.berth.placement.candidate.response;

import io.quarkus.test.junit.QuarkusIntegrationTest;
import org.junit.jupiter.api.Tag;

/** The same of the packaged service: the jar, or the executable where the build made one. */
@QuarkusIntegrationTest
@Tag("long")
class CandidateReferencesEndpointPackagedIT extends CandidateReferencesEndpointIT {}
