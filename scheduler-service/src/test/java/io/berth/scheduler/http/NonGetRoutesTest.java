package io.berth.scheduler.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.quarkus.NonGetRoutes;
import org.junit.jupiter.api.Test;

/** Tests which routes other than GET are cancelled when their client disconnects. */
class NonGetRoutesTest {
    /** Routes that write nothing, so that they may be cancelled if the client disconnects. */
    private static final String[] READ_ONLY_ROUTES = {
        "SimulationsEndpoint.simulate", "CapacityEndpoint.count", "ExplanationsEndpoint.explain", "WhatIfEndpoint.ask",
        "ProposalsEndpoint.propose"};

    @Test
    void onlyRoutesThatWriteNothingAreCancelledOnDisconnect() throws Exception {
        NonGetRoutes routes = NonGetRoutes.ofThisService();
        assertThat(routes.all()).hasSizeGreaterThan(8);
        assertThat(routes.cancellable()).containsExactlyInAnyOrder(READ_ONLY_ROUTES);
    }
}
