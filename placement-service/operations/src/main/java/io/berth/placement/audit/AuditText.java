package io.berth.placement.audit;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.model.text.PlainText;
import io.berth.model.text.Table;
import io.berth.placement.http.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Renders the responses of the audit routes as text for people. Names providers where their names are known. Pure. */
final class AuditText {
    /** Maximum findings of one kind that the text lists. */
    private static final int FINDINGS_MAX = 100;
    /** Maximum skipped ids that the text lists. */
    private static final int SKIPPED_MAX = 20;
    /** Maximum audits that the text lists. */
    private static final int AUDITS_MAX = 10;
    /** Maximum elements of an array in a finding's detail that the text lists. */
    private static final int ELEMENTS_MAX = 5;
    /** The members of a detail that name the subject of the finding, the preferred one first. */
    private static final List<String> SUBJECTS = List.of("resource_provider", "consumer", "aggregate", "provider_id");
    /** The members of a detail that say which of the subject's rows the finding is about. */
    private static final List<String> ROWS = List.of("resource_class", "trait");
    /**
     * Maps a member of a detail that is an id in the database to the member that is shown instead, if the detail has
     * it.
     */
    private static final Map<String, String> IDS = Map.of("provider_id", "resource_provider", "trait_id", "trait");

    private AuditText() {}

    static String render(AuditOutcome.Plan plan) {
        int count = plan.findings().size();
        var out = new PlainText().line(count == 0
                ? "nothing found"
                : count(count) + "; apply (--apply of the command) heals what can be healed");
        writeFindings(plan.findings(), out);
        writeTruncated(plan.truncated(), out);
        var audits = new Table(AUDITS_MAX, "healed by audit", "user", "at", "rows", "undone at");
        plan.audits().forEach(audit -> audits.row(
                audit.id(), audit.userId(), audit.at().toInstant(), audit.changes(),
                audit.undoneAt() == null ? "" : audit.undoneAt().toInstant()));
        return out.table(audits).toString();
    }

    static String render(AuditOutcome.Healed healed) {
        var out = new PlainText().line(PlainText.format(
                "healed: %s; skipped: %,d", count(healed.healed().size()), healed.skipped().size()));
        if (healed.id() != null) {
            out.line("POST /berth/v1/audit/%1$s/undo (berth audit --undo %1$s) restores the rows"
                    .formatted(healed.id()));
        }
        writeFindings(healed.healed(), out);
        if (!healed.skipped().isEmpty()) {
            out.gap().line("Skipped, because they have changed, were not found, or cannot be healed:");
            healed.skipped().stream().limit(SKIPPED_MAX).forEach(out::indented);
            out.more(healed.skipped().size() - SKIPPED_MAX, "");
        }
        writeTruncated(healed.truncated(), out);
        return out.toString();
    }

    static String render(AuditOutcome.Undone undone) {
        return new PlainText().line(PlainText.format(
                "undone: %,d row%s", undone.changes(), undone.changes() == 1 ? "" : "s")).toString();
    }

    private static String count(int findings) {
        return PlainText.format("%,d finding%s", findings, findings == 1 ? "" : "s");
    }

    private static void writeFindings(List<Finding> findings, PlainText out) {
        for (FindingKind kind : FindingKind.values()) {
            List<Finding> found = findings.stream().filter(finding -> finding.kind() == kind).toList();
            if (found.isEmpty()) {
                continue;
            }
            String cure = switch (kind.cure()) {
                case RESTORABLE -> "an undo restores what is healed";
                case FINAL -> "healing needs the id, and cannot be undone";
                case NONE -> "only reported";
            };
            out.gap().line("%s: %s, %s".formatted(kind.wireName(), count(found.size()), cure)).indented(kind.advice());
            var table = new Table(FINDINGS_MAX, "id", "of", "detail");
            found.forEach(finding -> writeRow(finding, table));
            out.table(table);
        }
    }

    private static void writeTruncated(Set<FindingKind> truncated, PlainText out) {
        if (!truncated.isEmpty()) {
            out.gap().line("There are more than the limit of: " + truncated.stream().sorted().map(FindingKind::wireName)
                    .collect(Collectors.joining(", ")));
        }
    }

    private static void writeRow(Finding finding, Table table) {
        JsonNode detail = Json.parse(finding.detail().getBytes(StandardCharsets.UTF_8));
        String subject = SUBJECTS.stream().filter(detail::hasNonNull).findFirst().orElse("");
        String row = ROWS.stream().filter(detail::hasNonNull).map(name -> detail.path(name).asText())
                .findFirst().orElse("");
        List<String> parts = new ArrayList<>();
        for (Map.Entry<String, JsonNode> member : detail.properties()) {
            String name = member.getKey();
            boolean isShown = !member.getValue().isNull() && !name.equals(subject) && !name.endsWith("_name")
                    && !ROWS.contains(name) && !detail.hasNonNull(IDS.getOrDefault(name, ""));
            if (isShown) {
                parts.add(name.replace('_', ' ') + " " + value(detail, name));
            }
        }
        String of = subject.equals("provider_id") ? "provider " + value(detail, subject) : value(detail, subject);
        table.row(finding.id(), of, row + (row.isEmpty() || parts.isEmpty() ? "" : ": ") + String.join(", ", parts));
    }

    /**
     * Returns a member's value as text: the name of a provider if it is known; the first {@value #ELEMENTS_MAX}
     * elements of an array; any other value as it is.
     */
    private static String value(JsonNode of, String member) {
        JsonNode value = of.path(member);
        if (!value.isArray()) {
            return of.path(member + "_name").asText(value.asText());
        }
        Stream<String> elements = value.valueStream().limit(ELEMENTS_MAX).map(
                each -> each.isObject() ? allocation(each) : each.asText());
        return elements.collect(Collectors.joining(", ")) + (value.size() <= ELEMENTS_MAX
                ? "" : PlainText.format(" … and %,d more", value.size() - ELEMENTS_MAX));
    }

    private static String allocation(JsonNode allocation) {
        return PlainText.format(
                "%,d %s on %s", allocation.path("used").asLong(), allocation.path("resource_class").asText(),
                allocation.path("resource_provider").isNull()
                        ? "provider " + allocation.path("provider_id").asText()
                        : value(allocation, "resource_provider"));
    }
}
