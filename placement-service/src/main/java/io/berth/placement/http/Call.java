package io.berth.placement.http;

import io.berth.identity.Caller;
import io.berth.identity.policy.Policy;
import io.berth.model.Microversion;
import io.berth.placement.http.header.Accept;
import io.berth.placement.http.proxy.PublicAddress;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Map;

/**
 * The facts that {@link ProtocolFilter} established about a request. Endpoints get it with {@link #of}; the checks
 * refuse with {@link ApiException}. Upstream's order in every handler: {@link #require}, {@link #requireJson}, {@link
 * #requireAccept}, {@link #allow}, then the rest.
 */
public final class Call {
    static final String KEY = Call.class.getName();

    private final RoutingContext http;
    private final String requestId;
    private final PublicAddress address;
    private Microversion version;
    private Caller caller;
    private Policy policy;
    private Map<String, List<String>> query;

    Call(RoutingContext http, String requestId, PublicAddress address) {
        this.http = http;
        this.requestId = requestId;
        this.address = address;
    }

    public static Call of(RoutingContext http) {
        return http.get(KEY);
    }

    public String requestId() {
        return requestId;
    }

    /** Returns null while the request has not passed version negotiation. */
    public Microversion version() {
        return version;
    }

    void negotiated(Microversion version) {
        this.version = version;
    }

    void identified(Caller caller, Policy policy) {
        this.caller = caller;
        this.policy = policy;
    }

    public Caller caller() {
        return caller;
    }

    public boolean atLeast(int minor) {
        return version.atLeast(minor);
    }

    /** Refuses with 404 below microversion {@code 1.minor}, in which the route begins to exist. */
    public Call require(int minor) {
        if (!version.atLeast(minor)) {
            throw ApiException.noSuchRoute();
        }
        return this;
    }

    /** Refuses with 415 unless the body is declared to be JSON. */
    public Call requireJson() {
        List<String> types = http.request().headers().getAll("content-type");
        // If the header is repeated, the last one counts; no other spelling of the type is accepted.
        String media = types.isEmpty() ? "" : types.getLast().split(";", 2)[0].strip();
        if (!media.equals("application/json")) {
            throw new ApiException(
                    415, ErrorCode.UNDEFINED,
                    "The media type " + (media.isEmpty() ? "None" : media) + " is not supported, use application/json");
        }
        return this;
    }

    /** Refuses with 406 if the client does not accept JSON. */
    public Call requireAccept() {
        List<String> stated = http.request().headers().getAll("accept");
        if (!Accept.parse(stated.isEmpty() ? null : String.join(",", stated)).takesJson()) {
            throw new ApiException(406, ErrorCode.UNDEFINED, "Only application/json is provided");
        }
        return this;
    }

    /**
     * Refuses with 403 unless the policy allows the caller this operation.
     *
     * @param rule upstream's name of the rule, such as {@code placement:traits:list}
     */
    public Call allow(String rule) {
        return require(policy.allows(rule, caller), rule);
    }

    /** Checks like {@link #allow(String)}, for something that belongs to a project. */
    public Call allow(String rule, String projectId) {
        return require(policy.allows(rule, caller, projectId), rule);
    }

    private Call require(boolean allowed, String rule) {
        if (!allowed) {
            throw ApiException.forbidden("Policy does not allow " + rule + " to be performed.");
        }
        return this;
    }

    /** Returns the decoded query parameters by name, in the order given. A value may be empty. */
    public Map<String, List<String>> query() {
        if (query == null) {
            query = QueryString.parse(http.request().query());
        }
        return query;
    }

    /** Returns the last value of a repeated parameter; null if it is absent. */
    public @Nullable String last(String parameter) {
        List<String> values = query().get(parameter);
        return values == null ? null : values.getLast();
    }

    /** Returns the prefix of the API's paths in the client's URLs, for links: such as {@code /placement}, or empty. */
    public String prefix() {
        return address.prefix(http);
    }

    /** Returns the path as an absolute URL that the client can reach, for Location. */
    public String absolute(String path) {
        return address.origin(http.request()) + prefix() + path;
    }
}
