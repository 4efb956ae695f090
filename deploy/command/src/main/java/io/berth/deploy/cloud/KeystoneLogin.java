package io.berth.deploy.cloud;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.Credential;
import io.berth.deploy.http.Endpoint;
import io.berth.deploy.http.RestClient;
import jakarta.annotation.Nullable;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Map;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;

/**
 * Gets a token and the catalog from Keystone v3, by password, application credential or another token. Logs in at the
 * first use, again at a use less than one minute before the token expires, and again after a service refused the token.
 * A login by token is not repeated, because the new token would expire at the same time as the original one.
 * Thread-safe. Source: Keystone's API reference, "Password authentication with scoped authorization" and the sections
 * around it.
 */
final class KeystoneLogin implements Credential {
    private static final Duration RENEWAL_MARGIN = Duration.ofMinutes(1);

    private final CloudSettings settings;
    private final RestClient keystone;
    private final boolean canLoginAgain;
    /** Null before the first login, and after a service refused the token of a login that can be repeated. */
    private @Nullable Header token;
    /** {@link Instant#MAX} if Keystone does not report when the token expires. */
    private Instant expiresAt = Instant.MAX;
    private JsonNode catalog = MissingNode.getInstance();

    /**
     * Checks the settings of the login. Makes no connection.
     *
     * @param trust TLS context with the trusted authorities; null for the JDK's own
     * @throws IllegalArgumentException if a setting of the login is missing or invalid; the message is one line for the
     *         user
     */
    KeystoneLogin(CloudSettings settings, @Nullable SSLContext trust) {
        this.settings = settings;
        String url = settings.require("auth_url").replaceFirst("/+$", "").replaceFirst("/v(3|2\\.0)$", "");
        this.keystone = new RestClient(endpoint(url), NONE, trust);
        this.canLoginAgain = !loginMethod().equals("token");
        // Called only for its check: throws if a setting is missing.
        loginBody();
    }

    private Endpoint endpoint(String url) {
        try {
            return Endpoint.parse(url);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "auth_url %s: must be a URL such as https://host:5000/v3 (%s)"
                            .formatted(url, settings.origin()),
                    e);
        }
    }

    @Override
    public synchronized Header header() throws ApiFailure, InterruptedException {
        Header current = token;
        if (current == null || canLoginAgain && Instant.now().plus(RENEWAL_MARGIN).isAfter(expiresAt)) {
            current = login();
            token = current;
        }
        return current;
    }

    @Override
    public synchronized boolean renewAfter(Header refused) {
        if (canLoginAgain && refused.equals(token)) {
            token = null;
        }
        return !refused.equals(token);
    }

    /**
     * Returns the service's URL in the catalog, for the settings {@code interface} (by default public) and {@code
     * region_name}; null if the catalog has none.
     *
     * @throws IllegalArgumentException if the service is in several regions and the setting {@code region_name} is
     *         missing
     * @throws ApiFailure if a login is needed and fails
     */
    synchronized @Nullable String findUrl(Service service) throws ApiFailure, InterruptedException {
        header();
        String interfaceName = settings.values().getOrDefault("interface", "public").replaceFirst("URL$", "");
        String region = settings.find("region_name");
        Map<String, String> urlsByRegion = new TreeMap<>();
        for (JsonNode catalogEntry : catalog) {
            if (!catalogEntry.path("type").asText().equals(service.type())) {
                continue;
            }
            for (JsonNode endpoint : catalogEntry.path("endpoints")) {
                boolean isInRegion = region == null || region.equals(endpoint.path("region_id").asText())
                        || region.equals(endpoint.path("region").asText());
                if (isInRegion && endpoint.path("interface").asText().equals(interfaceName)) {
                    urlsByRegion.putIfAbsent(endpoint.path("region_id").asText(), endpoint.path("url").asText());
                }
            }
        }
        if (urlsByRegion.size() > 1 && region == null) {
            throw new IllegalArgumentException(
                    ("the catalog has a %s in each of %s: set OS_REGION_NAME, or region_name in"
                            + " clouds.yaml (%s)")
                            .formatted(service.type(), String.join(", ", urlsByRegion.keySet()), settings.origin()));
        }
        return urlsByRegion.isEmpty() ? null : urlsByRegion.values().iterator().next();
    }

    private Header login() throws ApiFailure, InterruptedException {
        RestClient.Response response = keystone.call("POST", "/v3/auth/tokens", loginBody(), 201, 401);
        String value = response.headers().firstValue("x-subject-token").orElse("");
        if (response.status() == 401 || value.isEmpty()) {
            throw new ApiFailure("Keystone at %s refuses the credentials of %s: %s".formatted(
                    keystone.endpoint(), settings.origin(), response.detail()));
        }
        JsonNode tokenBody = response.body().path("token");
        catalog = tokenBody.path("catalog");
        try {
            expiresAt = Instant.parse(tokenBody.path("expires_at").asText());
        } catch (DateTimeParseException e) {
            expiresAt = Instant.MAX;
        }
        return new Header("x-auth-token", value);
    }

    private String loginMethod() {
        if (settings.find("application_credential_id", "application_credential_name") != null) {
            return "application_credential";
        }
        return settings.find("username", "user_id") == null && settings.find("token") != null ? "token" : "password";
    }

    /** Returns the body of the login request. */
    private ObjectNode loginBody() {
        ObjectNode body = RestClient.emptyObject();
        ObjectNode auth = body.putObject("auth");
        ObjectNode identity = auth.putObject("identity");
        identity.putArray("methods").add(loginMethod());
        ObjectNode methodBody = identity.putObject(loginMethod());
        switch (loginMethod()) {
            case "token" -> methodBody.put("id", settings.require("token"));
            case "application_credential" -> {
                String id = settings.find("application_credential_id");
                if (id == null) {
                    methodBody.put("name", settings.require("application_credential_name"));
                    writeUser(methodBody.putObject("user"));
                } else {
                    methodBody.put("id", id);
                }
                methodBody.put("secret", settings.require("application_credential_secret"));
                // Keystone refuses a scope here: an application credential is bound to its project.
                return body;
            }
            default -> {
                ObjectNode user = methodBody.putObject("user");
                writeUser(user);
                user.put("password", settings.require("password"));
            }
        }
        writeScope(auth);
        return body;
    }

    private void writeUser(ObjectNode user) {
        String id = settings.find("user_id");
        if (id == null) {
            user.put("name", settings.require("username"));
            writeDomain(user.putObject("domain"), "user_domain");
        } else {
            user.put("id", id);
        }
    }

    /**
     * Adds the scope to the body: the system, else the project, else the domain that the settings name; none if they
     * name none of them.
     */
    private void writeScope(ObjectNode auth) {
        String projectId = settings.find("project_id", "tenant_id");
        String projectName = settings.find("project_name", "tenant_name");
        if ("all".equals(settings.find("system_scope"))) {
            auth.putObject("scope").putObject("system").put("all", true);
        } else if (projectId != null) {
            auth.putObject("scope").putObject("project").put("id", projectId);
        } else if (projectName != null) {
            ObjectNode project = auth.putObject("scope").putObject("project").put("name", projectName);
            writeDomain(project.putObject("domain"), "project_domain");
        } else if (settings.find("domain_id", "domain_name") != null) {
            writeDomain(auth.putObject("scope").putObject("domain"), "domain");
        }
    }

    /**
     * Writes the id or name of a domain into {@code domain}; the name Default if no setting gives one. The settings
     * with {@code default_} count only if the others are missing.
     *
     * @param prefix the settings' prefix: {@code user_domain} for user_domain_id and user_domain_name
     */
    private void writeDomain(ObjectNode domain, String prefix) {
        // With a project, domain_id and domain_name are the default for the domains of user and project. Without one,
        // they name the scope.
        String fallbackPrefix =
                settings.find("project_id", "tenant_id", "project_name", "tenant_name") == null ? prefix : "domain";
        String id = settings.find(prefix + "_id", fallbackPrefix + "_id", "default_domain_id", "default_domain");
        String name = settings.find(prefix + "_name", fallbackPrefix + "_name", "default_domain_name");
        if (settings.find(prefix + "_id", fallbackPrefix + "_id") == null && name != null || id == null) {
            domain.put("name", name == null ? "Default" : name);
        } else {
            domain.put("id", id);
        }
    }
}
