package io.berth.deploy.cloud;

import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.Credential;
import io.berth.deploy.http.Endpoint;
import io.berth.deploy.http.RestClient;
import io.berth.deploy.http.TrustedCertificates;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLContext;

/**
 * Determines how to reach the services of one cloud, and the identity: from the options, else a cloud of clouds.yaml,
 * else OS_* variables, else the development identity on this machine.
 */
public final class Access {
    private static final String DEVELOPMENT_TOKEN = "admin";
    /** The challenge of services with tokens of their own, which would misinterpret a token of Keystone. */
    private static final String OWN_TOKENS = "Token realm=\"berth\"";
    private static final Set<String> WITH_KEYSTONE = Set.of("password", "v3password", "token", "v3token",
            "v3applicationcredential");

    private final CloudSettings settings;
    private final SSLContext trust;
    private final Credential credential;
    /** True if the login type uses Keystone, or none is given. */
    private final boolean isOfKeystone;
    private final boolean hasKeystone;
    /** True if a cloud is named: then this machine is never the fallback. */
    private final boolean isNamed;
    /** Null until it is needed, or if Keystone is not used. */
    private KeystoneLogin login;

    private Access(CloudSettings settings, boolean isNamed, String token, SSLContext trust) {
        this.settings = settings;
        this.isNamed = isNamed;
        this.trust = trust;
        String type = settings.values().getOrDefault("auth_type", "");
        this.isOfKeystone = type.isEmpty() || WITH_KEYSTONE.contains(type);
        this.hasKeystone = isOfKeystone && settings.find("auth_url") != null;
        this.credential = token != null ? Credential.token(token) : hasKeystone ? login() : without(type);
    }

    private KeystoneLogin login() {
        if (login == null) {
            login = new KeystoneLogin(settings, trust);
        }
        return login;
    }

    /**
     * Does not connect yet.
     *
     * @param cloud of clouds.yaml; null for $OS_CLOUD, or OS_* variables if that is not set either
     * @param token sent as it is; null for the cloud's own login
     * @param ca PEM file of the trusted authorities; null for the cloud's setting
     * @throws IllegalArgumentException with one line for the user
     */
    public static Access of(String cloud, String token, Path ca, Map<String, String> environment) {
        String name = cloud == null ? environment.getOrDefault("OS_CLOUD", "") : cloud;
        CloudSettings settings =
                name.isEmpty() ? CloudSettings.ofEnvironment(environment) : CloudsFile.find(name, environment);
        if ("false".equalsIgnoreCase(settings.find("verify")) || "true".equalsIgnoreCase(settings.find("insecure"))) {
            throw new IllegalArgumentException("certificates are always verified: name the authority's file with"
                    + " --ca, OS_CACERT or cacert in clouds.yaml (" + settings.origin() + ")");
        }
        Path file = ca != null || settings.find("cacert") == null ? ca : Path.of(settings.find("cacert"));
        return new Access(settings, !name.isEmpty(), token, file == null ? null : TrustedCertificates.load(file));
    }

    private Credential without(String type) {
        return switch (type) {
            case "" -> {
                // The usual mistake: everything is given except the URL of Keystone.
                if (settings.find("username", "user_id", "application_credential_id", "application_credential_name") != null) {
                    settings.require("auth_url");
                }
                yield Credential.token(settings.values().getOrDefault("token", DEVELOPMENT_TOKEN));
            }
            case "admin_token" -> Credential.token(settings.require("token"));
            case "http_basic" -> Credential.basic(settings.require("username"), settings.require("password"));
            case "none" -> Credential.NONE;
            default -> {
                if (isOfKeystone) {
                    settings.require("auth_url");
                }
                throw new IllegalArgumentException(("auth_type %s is not known here (%s); known: password, token,"
                        + " v3applicationcredential, admin_token, http_basic, none").formatted(type, settings.origin()));
            }
        };
    }

    /** Returns whether any setting identifies the cloud. */
    public boolean isStated() {
        return settings.find("auth_url", "endpoint", "placement_endpoint_override") != null;
    }

    /**
     * Returns a client for the service. Logs in if the catalog is needed. A service whose URL is given, and whose
     * identity is not the cloud's, is taken for one on this machine: it gets the development identity.
     *
     * @param url as the user gives it; null for the cloud's own
     * @throws IllegalArgumentException with one line for the user
     */
    public RestClient client(Service service, String url) throws ApiFailure, InterruptedException {
        Endpoint endpoint = Endpoint.parse(url == null ? url(service) : url);
        boolean isOfOwnTokens = url != null && credential == login
                && new RestClient(endpoint, Credential.NONE, trust).ask(service.read())
                        .headers().allValues("www-authenticate").contains(OWN_TOKENS);
        return new RestClient(endpoint, isOfOwnTokens ? Credential.token(DEVELOPMENT_TOKEN) : credential, trust);
    }

    private String url(Service service) throws ApiFailure, InterruptedException {
        String stated = settings.find(service.type() + "_endpoint_override");
        // The endpoint that these login types have instead of a catalog is placement's, as for the OpenStack client.
        if (stated == null && !hasKeystone && service == Service.PLACEMENT) {
            stated = settings.find("endpoint");
        }
        if (stated != null) {
            return stated;
        }
        if (!hasKeystone) {
            return !isNamed ? service.localUrl() : settings.require(isOfKeystone
                    ? "auth_url"
                    : service == Service.PLACEMENT ? "endpoint" : service.type() + "_endpoint_override");
        }
        String listed = login().find(service);
        if (listed == null) {
            String region = settings.find("region_name");
            throw new IllegalArgumentException(("Keystone's catalogue has no endpoint of type %s%s: set"
                    + " OS_%s_ENDPOINT_OVERRIDE, or %s_endpoint_override in clouds.yaml (%s)").formatted(
                            service.type(), region == null ? "" : " in " + region, service, service.type(), settings.origin()));
        }
        return listed;
    }
}
