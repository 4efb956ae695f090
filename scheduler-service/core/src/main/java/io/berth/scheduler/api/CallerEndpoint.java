package io.berth.scheduler.api;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.identity.Caller;
import io.berth.identity.Identification;
import io.berth.identity.policy.DefaultRule;
import io.berth.identity.policy.Policy;
import io.berth.identity.policy.PolicyDefaults;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;

/**
 * {@code GET /v1/caller}: returns the caller's identity, and the names of the scheduler's policy rules
 * ({@code scheduler:...}) that the caller passes.
 */
@Path("/v1/caller")
@Produces(MediaType.APPLICATION_JSON)
public class CallerEndpoint {
    private final Policy policy;
    private final PolicyDefaults defaults;

    CallerEndpoint(Policy policy, PolicyDefaults defaults) {
        this.policy = policy;
        this.defaults = defaults;
    }

    @GET
    public Uni<String> get(@Context RoutingContext http) {
        // RouteGuard admits only identified callers.
        Caller caller = Identification.callerOf(http);
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("user_id", caller.userId());
        json.put("project_id", caller.projectId());
        json.put("domain_id", caller.domainId());
        json.put("system_scoped", caller.systemScoped());
        caller.roles().stream().sorted().forEach(json.putArray("roles")::add);
        ArrayNode allowed = json.putArray("allowed");
        defaults.rules().stream()
                .map(DefaultRule::name)
                .filter(rule -> rule.startsWith("scheduler:") && policy.allows(rule, caller))
                .forEach(allowed::add);
        return Uni.createFrom().item(json.toString());
    }
}
