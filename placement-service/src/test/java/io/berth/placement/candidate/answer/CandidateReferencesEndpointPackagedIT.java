package io.berth.placement.candidate.answer;

import io.quarkus.test.junit.QuarkusIntegrationTest;

/** The same of the packaged service: the jar, or the executable where the build made one. */
@QuarkusIntegrationTest
class CandidateReferencesEndpointPackagedIT extends CandidateReferencesEndpointIT {}
