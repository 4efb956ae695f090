package io.berth.scheduler.record;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.json.JsonLists;
import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.FilterStep;
import io.berth.scheduler.decision.HostName;
import io.berth.scheduler.decision.Preselection;
import io.berth.scheduler.decision.Rejection;
import io.berth.scheduler.decision.Round;
import io.berth.scheduler.decision.explanation.NearestMiss;
import io.berth.scheduler.json.WrittenJson;
import io.berth.scheduler.spi.Reason;
import io.berth.scheduler.text.Truncation;
import io.berth.scheduler.timing.Phases;
import io.berth.scheduler.trace.DecisionTrace;
import io.berth.scheduler.weigher.RankedHost;
import jakarta.annotation.Nullable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Renders the body of a decision record: compact JSON that is quick to write, mostly arrays. The template of each
 * reason is stored once. {@link RecordedDecision} expands the body to named members and sentences for responses.
 *
 * <p>The body is an object with these members, in this order; members without a value are missing. A node is null if it
 * has the name of its host, or is unknown. {@code rejected} stands for [host, node, index in {@code reasons}, values of
 * the reason...]. Trailing elements of an array are left out if they are empty. "As in the response" refers to
 * {@code GET /v1/decisions/{id}}.
 * <ul>
 * <li>{@code kind}; {@code time}, in milliseconds since 1970; {@code request_id}
 * <li>{@code as_of}: [number of the registry's state, time of this state, replica of placement, version of the fleet as
 * counted by this replica]; the last two only if known
 * <li>{@code decisions}: how often the request was decided, if more than once
 * <li>{@code result}, {@code code}, {@code detail}, {@code tenant_detail}, {@code project_name}, {@code user_name}
 * <li>{@code warnings}: [text...]
 * <li>{@code prefilters}: [[name, added condition...]...]
 * <li>{@code placement}: an object as in the response, with {@code hosts}
 * <li>{@code error}: an object as in the response
 * <li>{@code rounds}: one object per decided instance, see below
 * <li>{@code nearest}: [stage, rejected], the host that came closest
 * <li>{@code claim_count}; {@code claims}: [[instance, host, node, index of the candidate, outcome, detail]...]
 * <li>{@code places}: for each instance [[host, node]...], the selected host first
 * <li>{@code ms}: an object from phase to milliseconds, without phases that did not run
 * <li>{@code reasons}: [[code, template]...]
 * </ul>
 *
 * <p>A round has:
 * <ul>
 * <li>{@code index} of the instance, from 0
 * <li>{@code preselection}: [hosts before, hosts after, whether hosts are forced, [[cause, rejected]...]]
 * <li>{@code filters}: [[name, hosts before, hosts after, [rejected...], {code: number of further ones}]...]
 * <li>{@code passed}: number of hosts that passed all filters
 * <li>{@code ranked}: [[host, node, weight]...], the best first
 * <li>{@code weighers}: [[name, raw, normalized, multiplier]...]; each of the last three is an array by rank, or one
 * number if all are equal
 * <li>{@code order}: ranks, from 0, in the order in which they were tried, if that is randomized; -1 for a host that is
 * not in {@code ranked}
 * <li>{@code selected}: [host, node]
 * </ul>
 */
final class RecordBody {
    /** Maximum hosts in the ranking of a round. */
    static final int RANKED_MAX = Round.BEST_MAX;
    /**
     * Maximum rejected hosts that are listed in all rounds together. Further ones of a filter are counted by code;
     * further ones of the preselection follow only from its numbers of hosts before and after.
     */
    static final int REJECTED_MAX = 1_000;
    /**
     * Size in bytes after which further rounds have only numbers and the selected host. The round that exceeds it is
     * complete.
     */
    static final int SIZE_MAX = 512 * 1_024;

    /** Maximum characters of a message; a longer one is truncated. */
    private static final int TEXT_MAX = 2_000;
    /** Maximum characters of a warning, or of the detail of a claim; a longer one is truncated. */
    private static final int VALUE_MAX = 300;
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double MICROS_PER_MS = 1e3;
    /** A whole number below this is written as an integer. */
    private static final double LONG_MAX = 1e15;
    private static final JsonFactory JSON = new JsonFactory();

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(2_048);
    private final JsonGenerator json;
    /** The reasons so far, each pair of code and template once. There are few. */
    private final List<Reason> reasons = new ArrayList<>();
    /** Rejected hosts so far, in all rounds. */
    private int rejectedCount;

    private RecordBody() throws IOException {
        json = JSON.createGenerator(bytes);
    }

    /** Returns the body as UTF-8. */
    static byte[] of(DecisionTrace trace, DecisionOutcome outcome) {
        try {
            RecordBody body = new RecordBody();
            body.write(trace, outcome);
            return body.bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory", e);
        }
    }

    private void write(DecisionTrace trace, DecisionOutcome outcome) throws IOException {
        json.writeStartObject();
        json.writeStringField("kind", trace.request().kind().wireName());
        json.writeNumberField("time", trace.startedMillis());
        json.writeStringField("request_id", trace.request().requestId());
        if (trace.registryAsOf() != null) {
            json.writeArrayFieldStart("as_of");
            json.writeNumber(trace.registryNumber());
            json.writeString(trace.registryAsOf().toString());
            if (trace.fleetReplica() != null) {
                json.writeString(trace.fleetReplica());
                json.writeNumber(trace.fleetVersion());
            }
            json.writeEndArray();
        }
        if (trace.decisionCount() > 1) {
            json.writeNumberField("decisions", trace.decisionCount());
        }
        json.writeStringField("result", outcome.result().wireName());
        if (outcome.code() != null) {
            json.writeStringField("code", outcome.code());
            if (outcome.detail() != null) {
                json.writeStringField("detail", Truncation.of(outcome.detail(), TEXT_MAX));
            }
            if (outcome.tenantDetail() != null) {
                json.writeStringField("tenant_detail", Truncation.of(outcome.tenantDetail(), TEXT_MAX));
            }
        }
        WrittenJson.writeIfAny(json, "project_name", trace.request().names().project());
        WrittenJson.writeIfAny(json, "user_name", trace.request().names().user());
        if (!trace.warnings().isEmpty()) {
            JsonLists.writeArray(json, "warnings", trace.warnings(),
                    warning -> json.writeString(Truncation.of(warning, VALUE_MAX)));
        }
        writePrefilters(trace);
        if (outcome.query() != null) {
            json.writeObjectFieldStart("placement");
            PlacementJson.write(json, outcome.query(), outcome.shortfall());
            if (outcome.shortfall() != null) {
                PlacementJson.writeHosts(json, outcome.shortfall());
            }
            json.writeEndObject();
        }
        if (outcome.decision() != null) {
            writeDecision(outcome.decision());
        }
        writeClaims(trace);
        writePlaces(outcome.places());
        writePhases(trace.phases());
        writeReasons();
        json.writeEndObject();
        json.close();
    }

    private void writePrefilters(DecisionTrace trace) throws IOException {
        if (trace.prefilters().isEmpty()) {
            return;
        }
        JsonLists.writeRows(json, "prefilters", trace.prefilters(), step -> {
            json.writeString(step.name());
            for (String added : Additions.of(step.before(), step.after())) {
                json.writeString(Truncation.of(added, TEXT_MAX));
            }
        });
    }

    private void writeDecision(Decision decision) throws IOException {
        if (decision.error() != null) {
            json.writeObjectFieldStart("error");
            json.writeStringField("stage", decision.error().stage().wireName());
            json.writeStringField("name", decision.error().name());
            HostName host = decision.error().host();
            json.writeStringField("host", host == null ? null : host.host());
            json.writeStringField("nodename", host == null ? null : host.nodename());
            json.writeStringField("detail", Truncation.of(decision.error().detail(), TEXT_MAX));
            json.writeEndObject();
        }
        JsonLists.writeArray(json, "rounds", decision.rounds(),
                each -> writeRound(each, bytes.size() + json.getOutputBuffered() > SIZE_MAX));
        NearestMiss nearest = NearestMiss.of(decision);
        if (nearest != null) {
            json.writeArrayFieldStart("nearest");
            json.writeString(nearest.stage());
            writeRejected(nearest.host(), nearest.reason());
            json.writeEndArray();
        }
    }

    /** @param numbersOnly true to write only numbers of hosts and the selected host, and no lists of hosts */
    private void writeRound(Decision.Evaluated evaluated, boolean numbersOnly) throws IOException {
        Round round = evaluated.round();
        json.writeStartObject();
        json.writeNumberField("index", round.index());
        writePreselection(round.preselection(), numbersOnly);
        JsonLists.writeRows(json, "filters", round.filters(), step -> writeFilter(step, numbersOnly));
        json.writeNumberField("passed", round.passed());
        if (!numbersOnly) {
            writeRanking(round);
        }
        if (evaluated.selected() != null) {
            json.writeArrayFieldStart("selected");
            writeNames(evaluated.selected().host(), evaluated.selected().nodename());
            json.writeEndArray();
        }
        json.writeEndObject();
    }

    private void writePreselection(Preselection preselection, boolean numbersOnly) throws IOException {
        json.writeArrayFieldStart("preselection");
        json.writeNumber(preselection.hostCountIn());
        json.writeNumber(preselection.hostCountOut());
        json.writeBoolean(preselection.forced());
        if (!numbersOnly && !preselection.dropped().isEmpty()) {
            json.writeStartArray();
            for (Preselection.Dropped dropped : preselection.dropped()) {
                if (++rejectedCount > REJECTED_MAX) {
                    break;
                }
                json.writeStartArray();
                json.writeString(dropped.by());
                writeRejected(dropped.host(), dropped.reason());
                json.writeEndArray();
            }
            json.writeEndArray();
        }
        json.writeEndArray();
    }

    private void writeFilter(FilterStep step, boolean numbersOnly) throws IOException {
        json.writeString(step.name());
        json.writeNumber(step.hostCountIn());
        json.writeNumber(step.hostCountOut());
        if (step.hostCountOut() < step.hostCountIn()) {
            Map<String, Integer> furtherByCode = new LinkedHashMap<>(step.moreByCode());
            json.writeStartArray();
            for (Rejection rejection : step.rejections()) {
                if (numbersOnly || ++rejectedCount > REJECTED_MAX) {
                    furtherByCode.merge(rejection.reason().code(), 1, Integer::sum);
                } else {
                    writeRejected(rejection.host(), rejection.reason());
                }
            }
            json.writeEndArray();
            if (!furtherByCode.isEmpty()) {
                json.writeStartObject();
                WrittenJson.writeNumbers(json, furtherByCode);
                json.writeEndObject();
            }
        }
    }

    private void writeRejected(HostName host, Reason reason) throws IOException {
        json.writeStartArray();
        writeNames(host.host(), host.nodename());
        json.writeNumber(indexOf(reason));
        for (Object value : reason.values()) {
            switch (value) {
                case Integer number -> json.writeNumber(number);
                case Long number -> json.writeNumber(number);
                case Double number when Double.isFinite(number) -> json.writeNumber(number);
                case Boolean flag -> json.writeBoolean(flag);
                default -> json.writeString(Reason.shown(value));
            }
        }
        json.writeEndArray();
    }

    /** Returns the index of a reason in {@link #reasons}, to which it adds a new one. */
    private int indexOf(Reason reason) {
        for (int i = 0; i < reasons.size(); i++) {
            if (reasons.get(i).code().equals(reason.code()) && reasons.get(i).template().equals(reason.template())) {
                return i;
            }
        }
        reasons.add(reason);
        return reasons.size() - 1;
    }

    private void writeNames(String host, @Nullable String nodename) throws IOException {
        json.writeString(host);
        if (host.equals(nodename)) {
            json.writeNull();
        } else {
            json.writeString(nodename);
        }
    }

    private void writeRanking(Round round) throws IOException {
        List<RankedHost> best = round.best();
        if (best.isEmpty()) {
            return;
        }
        JsonLists.writeRows(json, "ranked", best, ranked -> {
            writeNames(ranked.host().host(), ranked.host().nodename());
            writeNumber(ranked.weight());
        });
        if (!round.weighers().isEmpty()) {
            JsonLists.writeRows(json, "weighers", round.weighers(), step -> {
                json.writeString(step.name());
                writeColumn(step.raw(), best);
                writeColumn(step.normalized(), best);
                writeColumn(step.multiplier(), best);
            });
        }
        writeOrder(round, best);
    }

    /** Writes the numbers of the best hosts by rank; one number if all are equal. */
    private void writeColumn(double[] numbers, List<RankedHost> best) throws IOException {
        double first = numbers[best.getFirst().position()];
        boolean areAllEqual = true;
        for (int i = 1; areAllEqual && i < best.size(); i++) {
            areAllEqual = Double.compare(numbers[best.get(i).position()], first) == 0;
        }
        if (areAllEqual) {
            writeNumber(first);
            return;
        }
        JsonLists.writeArray(json, best, ranked -> writeNumber(numbers[ranked.position()]));
    }

    /**
     * Writes the order in which hosts were tried, if the order is randomized: as many hosts as there are best hosts,
     * each as its rank from 0, or -1 for a host that is not among the best.
     */
    private void writeOrder(Round round, List<RankedHost> best) throws IOException {
        if (round.order() == round.ranked()) {
            return;
        }
        json.writeArrayFieldStart("order");
        for (int i = 0; i < best.size(); i++) {
            json.writeNumber(best.indexOf(round.order().get(i)));
        }
        json.writeEndArray();
    }

    /**
     * Writes a whole number as an integer, which is faster and shorter. Infinity becomes the largest double of the same
     * sign, NaN becomes null.
     */
    private void writeNumber(double number) throws IOException {
        if (number == (long) number && Math.abs(number) < LONG_MAX) {
            json.writeNumber((long) number);
        } else if (Double.isNaN(number)) {
            json.writeNull();
        } else {
            json.writeNumber(Math.clamp(number, -Double.MAX_VALUE, Double.MAX_VALUE));
        }
    }

    private void writeClaims(DecisionTrace trace) throws IOException {
        if (trace.attemptCount() == 0) {
            return;
        }
        json.writeNumberField("claim_count", trace.attemptCount());
        JsonLists.writeRows(json, "claims", trace.attempts(), attempt -> {
            json.writeString(attempt.instance().toString());
            writeNames(attempt.host(), attempt.nodename());
            json.writeNumber(attempt.candidate());
            json.writeString(attempt.outcome());
            if (!attempt.detail().isEmpty()) {
                json.writeString(Truncation.of(attempt.detail(), VALUE_MAX));
            }
        });
    }

    private void writePlaces(List<List<HostName>> places) throws IOException {
        if (places.isEmpty()) {
            return;
        }
        JsonLists.writeRows(json, "places", places, ofInstance -> {
            for (HostName place : ofInstance) {
                json.writeStartArray();
                writeNames(place.host(), place.nodename());
                json.writeEndArray();
            }
        });
    }

    private void writePhases(Phases phases) throws IOException {
        json.writeObjectFieldStart("ms");
        for (Phases.Phase phase : Phases.Phase.values()) {
            if (phases.nanos(phase) > 0) {
                json.writeFieldName(phase.label);
                writeNumber(Math.round(phases.nanos(phase) / NANOS_PER_MICRO) / MICROS_PER_MS);
            }
        }
        json.writeEndObject();
    }

    private void writeReasons() throws IOException {
        if (reasons.isEmpty()) {
            return;
        }
        JsonLists.writeRows(json, "reasons", reasons, reason -> {
            json.writeString(reason.code());
            json.writeString(reason.template());
        });
    }
}
