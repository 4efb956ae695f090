package io.berth.deploy.cloud;

import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.RestClient;
import jakarta.annotation.Nullable;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options of a command that say where the services of one cloud are, and with which token to call them. */
public final class CloudOptions {
    @Option(names = "--placement", paramLabel = "URL", description = "URL of placement, instead of the cloud's")
    private @Nullable String placement;

    @Option(names = "--scheduler", paramLabel = "URL", description = "URL of the scheduler, instead of the cloud's")
    private @Nullable String scheduler;

    @Option(names = "--cloud", paramLabel = "NAME",
            description = "a cloud of clouds.yaml (default: $$OS_CLOUD, else other OS_* variables, else this machine)")
    private @Nullable String cloud;

    @Option(names = "--token", paramLabel = "TOKEN",
            description = "x-auth-token to send, instead of a login; better in $$OS_TOKEN, which `ps` does not show")
    private @Nullable String token;

    @Option(names = "--ca", paramLabel = "FILE",
            description = "PEM file of the certificate authorities to trust, instead of the JDK's")
    private @Nullable Path ca;

    /** Null until the first client is needed. */
    private @Nullable Access access;

    /**
     * Returns a client for the service, at the URL of its option or else of the cloud.
     *
     * @throws ApiFailure if a login to Keystone fails, or the service at the option's URL does not respond
     * @throws IllegalArgumentException if a setting is missing or invalid; the message is one line for the user
     */
    public RestClient client(Service service) throws ApiFailure, InterruptedException {
        Access current = access;
        if (current == null) {
            current = Access.of(cloud, token, ca, System.getenv());
            access = current;
        }
        return current.client(service, switch (service) {
            case PLACEMENT -> placement;
            case SCHEDULER -> scheduler;
        });
    }
}
