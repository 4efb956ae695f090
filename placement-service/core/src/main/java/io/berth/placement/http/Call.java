package io.berth.placement.http;

import io.berth.http.header.Accept;
import io.berth.identity.Caller;
import io.berth.identity.policy.Policy;
import io.berth.model.Microversion;
import io.berth.placement.http.proxy.PublicAddress;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A request with its id, caller and microversion, which {@link ProtocolFilter} determined. Endpoints get the call with
 * {@link #of}. The methods {@code require...} and {@code allow} are checks that throw {@link ApiException}; upstream's
 * order is {@link #require}, {@link #requireJson}, {@link #requireAccept}, {@link #allow}, and then all other checks.
 */
public final class Call {
    /** The key of the call in the {@link RoutingContext}. */
    static final String KEY = Call.class.getName();

    /** Null, as is {@link #address}, for a request that the connection guard refuses before it is routed. */
    private final @Nullable RoutingContext http;
    private final String requestId;
    private final @Nullable PublicAddress address;
    /** Null until the microversion is negotiated. */
    private @Nullable Microversion version;
    /** Set before any route runs, as is {@link #policy}, except for the path {@code /}, which needs no caller. */
    @SuppressWarnings("NullAway.Init")
    private Caller caller;
    @SuppressWarnings("NullAway.Init")
    private Policy policy;
    /** The parsed query string; null until needed. */
    private @Nullable Map<String, List<String>> query;

    Call(@Nullable RoutingContext http, String requestId, @Nullable PublicAddress address) {
        this.http = http;
        this.requestId = requestId;
        this.address = address;
    }

    /** Returns the call of a request that has passed {@link ProtocolFilter}, as every request of an endpoint has. */
    public static Call of(RoutingContext http) {
        return Objects.requireNonNull(find(http), "a request without a call");
    }

    /** Returns the call of a request; null if the request has not passed {@link ProtocolFilter}. */
    static @Nullable Call find(RoutingContext http) {
        return http.get(KEY);
    }

    public String requestId() {
        return requestId;
    }

    /** Returns the microversion, which must be negotiated. */
    public Microversion version() {
        return Objects.requireNonNull(version, "no microversion is negotiated");
    }

    boolean isNegotiated() {
        return version != null;
    }

    /** Sets the microversion. */
    void setVersion(Microversion version) {
        this.version = version;
    }

    /** Sets the caller and the policy for the caller's requests. */
    void setCaller(Caller caller, Policy policy) {
        this.caller = caller;
        this.policy = policy;
    }

    public Caller caller() {
        return caller;
    }

    /** Returns whether the microversion is at least {@code 1.minor}. */
    public boolean atLeast(int minor) {
        return version().atLeast(minor);
    }

    /** Refuses with 404 below microversion {@code 1.minor}, the first one that has the route. */
    public Call require(int minor) {
        if (!version().atLeast(minor)) {
            throw ApiException.noSuchRoute();
        }
        return this;
    }

    /** Refuses with 415 unless the content type is {@code application/json}; its parameters are ignored. */
    public Call requireJson() {
        List<String> types = http().request().headers().getAll("content-type");
        // If the header is repeated, the last value counts, as in upstream. The type is case-sensitive.
        String mediaType = types.isEmpty() ? "" : types.getLast().split(";", 2)[0].strip();
        if (!mediaType.equals("application/json")) {
            throw new ApiException(
                    415, ErrorCode.UNDEFINED,
                    "The media type " + (mediaType.isEmpty() ? "None" : mediaType)
                            + " is not supported, use application/json");
        }
        return this;
    }

    /** Refuses with 406 if the client does not accept JSON. */
    public Call requireAccept() {
        return requireAccept(accept().acceptsJson(), "Only application/json is provided");
    }

    /** Refuses with 406 if the client accepts neither JSON nor plain text, for a route that returns both. */
    public Call requireAcceptOfText() {
        Accept accept = accept();
        return requireAccept(
                accept.prefersText() || accept.acceptsJson(), "Only application/json and text/plain are provided");
    }

    private Call requireAccept(boolean isAcceptable, String otherwise) {
        if (!isAcceptable) {
            throw new ApiException(406, ErrorCode.UNDEFINED, otherwise);
        }
        return this;
    }

    /** Returns whether the client prefers plain text to JSON. */
    public boolean prefersText() {
        return accept().prefersText();
    }

    private Accept accept() {
        List<String> stated = http().request().headers().getAll("accept");
        return Accept.parse(stated.isEmpty() ? null : String.join(",", stated));
    }

    /**
     * Refuses with 403 unless the policy allows the operation for the caller.
     *
     * @param rule the rule's name, upstream's if there is one, for example {@code placement:traits:list}
     */
    public Call allow(String rule) {
        return requireAllowed(policy.allows(rule, caller), rule);
    }

    /**
     * Refuses with 403 unless the policy allows the operation for the caller on data of this project.
     *
     * @param projectId null if the data belongs to no project, and then no rule that compares projects holds
     */
    public Call allow(String rule, @Nullable String projectId) {
        return requireAllowed(policy.allows(rule, caller, projectId), rule);
    }

    private Call requireAllowed(boolean isAllowed, String rule) {
        if (!isAllowed) {
            throw ApiException.forbidden("Policy does not allow " + rule + " to be performed.");
        }
        return this;
    }

    /**
     * Returns the values of the query parameters by name, decoded, in the order of the query string; see {@link
     * QueryString}. A value may be empty.
     */
    public Map<String, List<String>> query() {
        if (query == null) {
            query = QueryString.parse(http().request().query());
        }
        return query;
    }

    /**
     * Returns the value of a query parameter, or the last value if the parameter is repeated; null if the parameter is
     * absent.
     */
    public @Nullable String lastValue(String parameter) {
        List<String> values = query().get(parameter);
        return values == null ? null : values.getLast();
    }

    /**
     * Returns the prefix of all paths in the client's URLs, for links in responses; usually an empty string, for
     * example {@code /placement} behind a proxy.
     */
    public String prefix() {
        return address().prefix(http());
    }

    /** Returns the absolute URL of a path as the client can reach it, for the header Location. */
    public String absoluteUrl(String path) {
        return address().origin(http().request()) + prefix() + path;
    }

    private RoutingContext http() {
        return Objects.requireNonNull(http);
    }

    private PublicAddress address() {
        return Objects.requireNonNull(address);
    }
}
