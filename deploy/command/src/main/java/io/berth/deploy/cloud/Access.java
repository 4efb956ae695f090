package io.berth.deploy.cloud;

import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.Credential;
import io.berth.deploy.http.Endpoint;
import io.berth.deploy.http.RestClient;
import io.berth.deploy.http.TrustedCertificates;
import jakarta.annotation.Nullable;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import javax.net.ssl.SSLContext;

/**
 * Determines the URL of each service of one cloud, and the credential to send. The command's options come first. The
 * settings are those of the cloud of clouds.yaml that an option or $OS_CLOUD names, else the OS_* variables. If the
 * settings have neither a service's URL nor Keystone, and no cloud is named, the service on this machine is used. If
 * the settings name neither a login nor Keystone, the token {@value #DEVELOPMENT_TOKEN} is sent; {@link #client} states
 * one more case.
 */
public final class Access {
    /**
     * The token of an administrator for services with the identity strategy {@code noauth2}, which checks no tokens.
     */
    private static final String DEVELOPMENT_TOKEN = "admin";
    /**
     * The challenge (WWW-Authenticate) of a service that uses Berth's own tokens, and so would reject a Keystone token.
     */
    private static final String OWN_TOKENS_CHALLENGE = "Token realm=\"berth\"";
    private static final Set<String> KEYSTONE_AUTH_TYPES = Set.of("password", "v3password", "token", "v3token",
            "v3applicationcredential");

    private final CloudSettings settings;
    /** Null to trust the JDK's own certificate authorities. */
    private final @Nullable SSLContext trust;
    private final Credential credential;
    /** True if the setting auth_type names a kind of login to Keystone, or is not set. */
    private final boolean allowsKeystoneLogin;
    /** True if the settings have the URL of Keystone, and auth_type permits a login there. */
    private final boolean hasKeystone;
    /**
     * True if an option or $OS_CLOUD names a cloud of clouds.yaml. Then a missing URL is an error instead of a service
     * on this machine.
     */
    private final boolean isCloudNamed;
    /** Null until a Keystone login is needed. */
    private @Nullable KeystoneLogin login;

    private Access(CloudSettings settings, boolean isCloudNamed, @Nullable String token, @Nullable SSLContext trust) {
        this.settings = settings;
        this.isCloudNamed = isCloudNamed;
        this.trust = trust;
        String type = settings.values().getOrDefault("auth_type", "");
        this.allowsKeystoneLogin = type.isEmpty() || KEYSTONE_AUTH_TYPES.contains(type);
        this.hasKeystone = allowsKeystoneLogin && settings.find("auth_url") != null;
        this.credential =
                token != null ? Credential.token(token) : hasKeystone ? login() : credentialWithoutKeystone(type);
    }

    private KeystoneLogin login() {
        if (login == null) {
            login = new KeystoneLogin(settings, trust);
        }
        return login;
    }

    /**
     * Reads the settings of a cloud. Makes no connection.
     *
     * @param cloud a name in clouds.yaml; null for $OS_CLOUD, or for the OS_* variables if $OS_CLOUD is not set
     * @param token a token to send unchanged; null to log in with the cloud's settings
     * @param ca PEM file of the trusted authorities; null for the cloud's setting {@code cacert}
     * @param environment the environment variables
     * @throws IllegalArgumentException if a setting is missing or invalid, or would disable the verification of
     *         certificates; the message is one line for the user
     */
    public static Access of(
            @Nullable String cloud, @Nullable String token, @Nullable Path ca, Map<String, String> environment) {
        String name = cloud == null ? environment.getOrDefault("OS_CLOUD", "") : cloud;
        CloudSettings settings =
                name.isEmpty() ? CloudSettings.ofEnvironment(environment) : CloudsFile.find(name, environment);
        if ("false".equalsIgnoreCase(settings.find("verify")) || "true".equalsIgnoreCase(settings.find("insecure"))) {
            throw new IllegalArgumentException("certificates are always verified: name the authority's file with"
                    + " --ca, OS_CACERT or cacert in clouds.yaml (" + settings.origin() + ")");
        }
        String caSetting = settings.find("cacert");
        Path caFile = ca != null || caSetting == null ? ca : Path.of(caSetting);
        return new Access(settings, !name.isEmpty(), token, caFile == null ? null : TrustedCertificates.load(caFile));
    }

    private Credential credentialWithoutKeystone(String type) {
        return switch (type) {
            case "" -> {
                // A user or application credential needs Keystone: reports that its URL is missing.
                if (settings.find("username", "user_id", "application_credential_id",
                        "application_credential_name") != null) {
                    settings.require("auth_url");
                }
                yield Credential.token(settings.values().getOrDefault("token", DEVELOPMENT_TOKEN));
            }
            case "admin_token" -> Credential.token(settings.require("token"));
            case "http_basic" -> Credential.basic(settings.require("username"), settings.require("password"));
            case "none" -> Credential.NONE;
            default -> {
                if (allowsKeystoneLogin) {
                    // Always throws: the settings have no URL of Keystone.
                    settings.require("auth_url");
                }
                throw new IllegalArgumentException(("unknown auth_type %s (%s); known: password, token,"
                        + " v3applicationcredential, admin_token, http_basic, none")
                        .formatted(type, settings.origin()));
            }
        };
    }

    /** Returns whether a setting gives the URL of Keystone or of placement. */
    public boolean hasUrlSetting() {
        return settings.find("auth_url", "endpoint", "placement_endpoint_override") != null;
    }

    /**
     * Returns a client for the service. Logs in to Keystone if only the catalog has the URL. The client sends the token
     * {@value #DEVELOPMENT_TOKEN} instead of a Keystone token if the user gave the URL and the service there uses
     * Berth's own tokens.
     *
     * @param url the URL that the user gave; null for the URL in the cloud's settings or catalog
     * @throws ApiFailure if the login fails, or if the service at {@code url} does not respond to the request that
     *         finds out which tokens it uses
     * @throws IllegalArgumentException if no URL is known, the URL is invalid, or the catalog has the service in
     *         several regions and no setting selects one; the message is one line for the user
     */
    public RestClient client(Service service, @Nullable String url) throws ApiFailure, InterruptedException {
        Endpoint endpoint = Endpoint.parse(url == null ? url(service) : url);
        boolean usesOwnTokens = url != null && credential == login
                && new RestClient(endpoint, Credential.NONE, trust).getAnyStatus(service.probePath())
                        .headers().allValues("www-authenticate").contains(OWN_TOKENS_CHALLENGE);
        return new RestClient(endpoint, usesOwnTokens ? Credential.token(DEVELOPMENT_TOKEN) : credential, trust);
    }

    private String url(Service service) throws ApiFailure, InterruptedException {
        String url = settings.find(service.type() + "_endpoint_override");
        // Without Keystone there is no catalog. The setting "endpoint" is placement's URL, as for the OpenStack client.
        if (url == null && !hasKeystone && service == Service.PLACEMENT) {
            url = settings.find("endpoint");
        }
        if (url != null) {
            return url;
        }
        if (!hasKeystone) {
            // If a cloud is named, always throws: the required setting is missing.
            return !isCloudNamed ? service.localUrl() : settings.require(allowsKeystoneLogin
                    ? "auth_url"
                    : service == Service.PLACEMENT ? "endpoint" : service.type() + "_endpoint_override");
        }
        String catalogUrl = login().findUrl(service);
        if (catalogUrl == null) {
            String region = settings.find("region_name");
            throw new IllegalArgumentException(("Keystone's catalog has no endpoint of type %s%s: set"
                    + " OS_%s_ENDPOINT_OVERRIDE, or %s_endpoint_override in clouds.yaml (%s)").formatted(
                            service.type(), region == null ? "" : " in " + region, service, service.type(),
                            settings.origin()));
        }
        return catalogUrl;
    }
}
