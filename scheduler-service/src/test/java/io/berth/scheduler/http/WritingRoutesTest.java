package io.berth.scheduler.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.quarkus.WritingRoutes;
import org.junit.jupiter.api.Test;

class WritingRoutesTest {
    /** Writes nothing: nobody needs the rest of it. */
    private static final String SIMULATION = "SimulationsEndpoint.simulate";

    @Test
    void noneIsGivenUpBecauseItsClientLeaves() throws Exception {
        WritingRoutes routes = WritingRoutes.of(ErrorCode.class);
        assertThat(routes.all()).hasSizeGreaterThan(8);
        assertThat(routes.givenUp()).containsExactly(SIMULATION);
    }
}
