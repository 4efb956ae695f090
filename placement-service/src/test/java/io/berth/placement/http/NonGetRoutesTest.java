package io.berth.placement.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.quarkus.NonGetRoutes;
import org.junit.jupiter.api.Test;

class NonGetRoutesTest {
    @Test
    void noneIsGivenUpBecauseItsClientLeaves() throws Exception {
        NonGetRoutes routes = NonGetRoutes.ofThisService();
        assertThat(routes.all()).hasSizeGreaterThan(15);
        assertThat(routes.cancellable()).isEmpty();
    }
}
