package io.berth.scheduler.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.quarkus.NonGetRoutes;
import org.junit.jupiter.api.Test;

class NonGetRoutesTest {
    /** They write nothing, so that a response without a reader may be canceled. */
    private static final String[] QUESTIONS = {
        "SimulationsEndpoint.simulate", "CapacityEndpoint.count", "ExplanationsEndpoint.explain", "WhatIfEndpoint.ask",
        "ProposalsEndpoint.propose"};

    @Test
    void noneIsGivenUpBecauseItsClientLeaves() throws Exception {
        NonGetRoutes routes = NonGetRoutes.ofThisService();
        assertThat(routes.all()).hasSizeGreaterThan(8);
        assertThat(routes.cancellable()).containsExactlyInAnyOrder(QUESTIONS);
    }
}
