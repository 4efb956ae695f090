package io.berth.placement.audit;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.io.SerializedString;
import io.berth.json.JsonLists;
import io.berth.placement.fleet.FleetDrift;
import io.berth.placement.http.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Renders the responses of the audit routes. */
final class AuditJson {
    private AuditJson() {}

    static byte[] render(AuditOutcome.Plan plan) {
        return Json.writeObject(json -> {
            findings(json, "findings", plan.findings());
            advice(json, plan.findings());
            kinds(json, plan.truncated());
            JsonLists.writeObjects(json, "audits", plan.audits(), audit -> {
                json.writeStringField("id", audit.id().toString());
                json.writeStringField("user_id", audit.userId());
                json.writeStringField("at", audit.at().toInstant().toString());
                json.writeStringField("undone_at", audit.undoneAt() == null ? null : audit.undoneAt().toInstant()
                        .toString());
                json.writeNumberField("rows", audit.changes());
            });
        });
    }

    static byte[] render(AuditOutcome.Healed healed) {
        return Json.writeObject(json -> {
            json.writeStringField("id", healed.id() == null ? null : healed.id().toString());
            findings(json, "healed", healed.healed());
            JsonLists.writeTexts(json, "skipped", healed.skipped());
            kinds(json, healed.truncated());
        });
    }

    static byte[] render(AuditOutcome.Undone undone) {
        return Json.writeObject(json -> {
            json.writeStringField("id", undone.id().toString());
            json.writeNumberField("rows", undone.changes());
        });
    }

    /** Renders the detail of a finding of the kind {@link FindingKind#MEMORY_DIFFERS}. */
    static String drift(FleetDrift.Drift drift) {
        byte[] text = Json.writeObject(json -> {
            json.writeNumberField("providers", drift.providers().size());
            json.writeNumberField("names", drift.differingNameCount());
            JsonLists.writeTexts(json, "resource_providers", drift.shown());
        });
        return new String(text, StandardCharsets.UTF_8);
    }

    private static void findings(JsonGenerator json, String name, List<Finding> findings) throws IOException {
        JsonLists.writeObjects(json, name, findings, finding -> {
            json.writeStringField("id", finding.id());
            json.writeStringField("kind", finding.kind().wireName());
            json.writeStringField("cure", finding.kind().cure().name().toLowerCase(java.util.Locale.ROOT));
            json.writeFieldName("detail");
            json.writeRawValue(new SerializedString(finding.detail()));
        });
    }

    private static void advice(JsonGenerator json, List<Finding> findings) throws IOException {
        Set<FindingKind> kinds = new LinkedHashSet<>();
        findings.forEach(finding -> kinds.add(finding.kind()));
        json.writeObjectFieldStart("advice");
        for (FindingKind kind : kinds) {
            json.writeStringField(kind.wireName(), kind.advice());
        }
        json.writeEndObject();
    }

    private static void kinds(JsonGenerator json, Collection<FindingKind> truncated) throws IOException {
        JsonLists.writeTexts(json, "truncated", truncated.stream().map(FindingKind::wireName).toList());
    }
}
