package io.berth.deploy.constant;

import io.quarkus.runtime.Startup;
import io.smallrye.common.annotation.NonBlocking;
import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.Arrays;

/**
 * {@code GET /constant}: responds with the same bytes every time, from an array and on the event loop, as placement
 * does. The route adds no header of its own, so that the response is the fastest that is possible for its size.
 */
@Path("/constant")
@Singleton
@Startup
public final class ConstantBodyEndpoint {
    /**
     * The maximum size of the body in bytes. The largest responses that the load generator compares have some tens of
     * megabytes.
     */
    static final int BYTES_MAX = 64 << 20;

    private final byte[] body;

    /**
     * Creates the body, of the configured size.
     *
     * @throws IllegalArgumentException if the size is out of range; the process then ends before it listens
     */
    ConstantBodyEndpoint(ConstantBodyConfig config) {
        if (config.bytes() < 1 || config.bytes() > BYTES_MAX) {
            throw new IllegalArgumentException(
                    "berth.constant-body.bytes must be 1 to %d, not %d".formatted(BYTES_MAX, config.bytes()));
        }
        body = new byte[config.bytes()];
        Arrays.fill(body, (byte) ' ');
    }

    @GET
    @NonBlocking
    @Produces(MediaType.APPLICATION_JSON)
    public byte[] get() {
        return body;
    }
}
