package io.berth.placement.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.quarkus.NonGetRoutes;
import org.junit.jupiter.api.Test;

/** Checks that requests that write go on when their client disconnects. */
class NonGetRoutesTest {
    @Test
    void noneIsCancelledWhenItsClientDisconnects() throws Exception {
        NonGetRoutes routes = NonGetRoutes.ofThisService();
        assertThat(routes.all()).hasSizeGreaterThan(15);
        assertThat(routes.cancellable()).isEmpty();
    }
}
