package io.berth.placement.audit;

import io.berth.placement.http.ApiException;
import io.berth.placement.http.Call;
import io.berth.placement.http.Responses;
import io.berth.placement.query.UuidText;
import io.smallrye.common.annotation.Blocking;
import io.smallrye.mutiny.Uni;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import java.util.UUID;
import java.util.function.Supplier;
import org.jboss.resteasy.reactive.server.Cancellable;

/**
 * Berth's own routes {@code /berth/v1/audit}: find inconsistencies in the tables and in the fleet in memory, heal them,
 * and undo the healing. GET looks for every kind of finding that needs no parameters. POST takes parameters, such as a
 * list of known consumers; POST with {@code apply} also heals. The microversion has no effect. Responses are JSON, or
 * text if the client prefers it. The header {@code berth-answer} is {@code yes} if an audit found nothing, if all
 * findings that were selected were healed, or if the undo was done, otherwise {@code no}. The header {@value
 * #FINDINGS}, which the response to an undo lacks, is the number of listed or healed findings.
 */
@Path("/berth/v1/audit")
public final class AuditEndpoint {
    private static final String FINDINGS = "berth-findings";

    private final Audits audits;

    AuditEndpoint(Audits audits) {
        this.audits = audits;
    }

    /** Lists the findings of every kind that needs no list of consumers. */
    @GET
    public Uni<Response> plan(@Context RoutingContext http) {
        Call call = Call.of(http).requireAcceptOfText().allow("placement:audit:show");
        if (!call.query().isEmpty()) {
            throw ApiException.badRequest(
                    "Invalid query string parameters: GET has no parameters; use POST to choose kinds and limits");
        }
        // Refuses a body, because GET would ignore the parameters in it.
        if (hasBody(http.request())) {
            throw ApiException.badRequest("GET has no body; use POST to choose kinds and limits");
        }
        return audits.plan(AuditRequest.ofAll()).map(outcome -> answer(call, outcome));
    }

    private static boolean hasBody(HttpServerRequest request) {
        String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
        return request.getHeader(HttpHeaders.TRANSFER_ENCODING) != null || (length != null && !length.equals("0"));
    }

    /**
     * Lists the findings of the requested kinds, or heals those that {@code apply} in the body selects. Runs on a
     * worker thread, because to parse a body of the largest permitted size would block an event loop.
     */
    @POST
    @Cancellable(false)
    @Blocking
    public Uni<Response> planOrApply(@Context RoutingContext http, byte[] body) {
        Call call = Call.of(http).requireJson().requireAcceptOfText().allow("placement:audit:show");
        AuditRequest request = AuditBody.parse(body);
        if (request.apply() instanceof AuditRequest.Apply.Nothing) {
            return audits.plan(request).map(outcome -> answer(call, outcome));
        }
        call.allow("placement:audit:apply");
        return audits.apply(request, call.caller().userId()).map(outcome -> answer(call, outcome));
    }

    /** Restores the rows that an audit changed, unless one of them cannot be restored; then nothing is restored. */
    @POST
    @Cancellable(false)
    @Path("/{id}/undo")
    public Uni<Response> undo(@Context RoutingContext http, @PathParam("id") String text) {
        Call call = Call.of(http).requireAcceptOfText().allow("placement:audit:apply");
        UUID id = UuidText.parseLenient(text);
        if (id == null) {
            throw ApiException.notFound("No such audit.");
        }
        return audits.undo(id).map(outcome -> answer(call, outcome));
    }

    private static Response answer(Call call, AuditOutcome outcome) {
        return switch (outcome) {
            case AuditOutcome.Plan plan ->
                ok(call, () -> AuditJson.render(plan), () -> AuditText.render(plan), plan.findings().isEmpty())
                        .header(FINDINGS, plan.findings().size())
                        .build();
            case AuditOutcome.Healed healed ->
                ok(call, () -> AuditJson.render(healed), () -> AuditText.render(healed), healed.skipped().isEmpty())
                        .header(FINDINGS, healed.healed().size())
                        .build();
            case AuditOutcome.Undone undone ->
                ok(call, () -> AuditJson.render(undone), () -> AuditText.render(undone), true).build();
            case AuditOutcome.NoSuchAudit none ->
                throw ApiException.notFound("No such audit; the newest hundred are kept.");
            case AuditOutcome.Conflict conflict -> throw ApiException.conflict(conflict.reason());
        };
    }

    private static Response.ResponseBuilder ok(
            Call call, Supplier<byte[]> json, Supplier<String> text, boolean isYes) {
        return Responses.okJsonOrText(call, json, text, System.currentTimeMillis())
                .header("berth-answer", isYes ? "yes" : "no");
    }
}
