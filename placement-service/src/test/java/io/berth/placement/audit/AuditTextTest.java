package io.berth.placement.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.OffsetDateTime;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the plain-text form of audit results. */
class AuditTextTest {
    private static final UUID AUDIT = UUID.fromString("aaaaaaaa-0000-4000-8000-000000000001");

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "used_differs                | {'resource_provider': 'u', 'resource_provider_name': 'n-1', 'used': 7000,"
                + " 'resource_class': 'VCPU', 'allocated': 3} | n-1 | VCPU: used 7000, allocated 3",
        "wrong_root                  | {'resource_provider': 'u', 'resource_provider_name': 'n-1',"
                + " 'root_provider': 'v', 'root_provider_name': null, 'root_provider_by_parents': 'w',"
                + " 'root_provider_by_parents_name': 'n-2'}"
                + " | n-1 | root provider v, root provider by parents n-2",
        "parent_loop                 | {'resource_provider': 'u', 'resource_provider_name': 'n-1',"
                + " 'parent_provider': null, 'parent_provider_name': null} | n-1 | ``",
        "trait_without_provider      | {'resource_provider': null, 'resource_provider_name': null, 'provider_id': -7,"
                + " 'trait': 'HW_GPU', 'trait_id': 5} | provider -7 | HW_GPU",
        "trait_without_provider      | {'resource_provider': 'u', 'resource_provider_name': 'n-1', 'provider_id': 1,"
                + " 'trait': null, 'trait_id': 5} | n-1 | trait id 5",
        "aggregate_without_provider  | {'aggregate': 'a', 'provider_id': -7} | a | provider id -7",
        "inventory_without_provider  | {'provider_id': -7, 'resource_class': 'VCPU', 'total': 8, 'used': 1}"
                + " | provider -7 | VCPU: total 8, used 1",
        "empty_consumer              | {'consumer': 'c', 'project_id': 'p'} | c | project id p",
        "unknown_consumer            | {'consumer': 'c', 'allocations': [{'resource_provider': 'u', 'used': 2000,"
                + " 'resource_provider_name': 'n-1', 'provider_id': 1, 'resource_class': 'VCPU'},"
                + " {'resource_provider': null, 'resource_provider_name': null, 'provider_id': -7,"
                + " 'resource_class': '9', 'used': 1}]}"
                + " | c | allocations 2,000 VCPU on n-1, 1 9 on provider -7",
        "memory_differs              | {'providers': 7, 'names': 0,"
                + " 'resource_providers': ['a', 'b', 'c', 'd', 'e', 'f', 'g']}"
                + " | `` | providers 7, names 0, resource providers a, b, c, d, e … and 2 more"})
    void namesTheSubjectOfAFinding(String kind, String detail, String of, String shown) {
        Finding finding = finding(FindingKind.find(kind), detail.replace('\'', '"'));
        String text = plan(List.of(finding));
        assertThat(text).startsWith("1 finding; apply ").contains("\n" + kind + ": 1 finding, ");
        assertThat(text.replaceAll("\\s+", " "))
                .contains(" id of detail " + (finding.id() + " " + of + " " + shown).replaceAll(" +", " ").strip());
        assertThat(text.lines()).allMatch(line -> line.length() < 100);
    }

    @Test
    void showsKindsAdviceAndEarlierAuditsInAPlan() {
        Finding finding = finding(FindingKind.EMPTY_CONSUMER, "{\"consumer\": \"c\"}");
        assertThat(AuditText.render(new AuditOutcome.Plan(
                List.of(finding), Set.of(FindingKind.EMPTY_CONSUMER),
                List.of(new AuditOutcome.Applied(
                        AUDIT, "admin", OffsetDateTime.parse("2026-01-31T12:00:00Z"), null, 1_200)))))
                .isEqualTo("""
                        1 finding; apply (--apply of the command) heals what can be healed

                        empty_consumer: 1 finding, an undo restores what is healed
                          Healing deletes the consumer, which has no allocations.

                          id                        of  detail
                          %s  c

                        There are more than the limit of: empty_consumer

                          healed by audit                       user   at                     rows  undone at
                          aaaaaaaa-0000-4000-8000-000000000001  admin  2026-01-31T12:00:00Z  1,200
                        """.formatted(finding.id()));
        assertThat(plan(List.of())).isEqualTo("nothing found\n");
    }

    @Test
    void endsALongListWithTheNumberOfOmittedFindings() {
        List<Finding> many = IntStream.range(0, 120)
                .mapToObj(i -> finding(FindingKind.EMPTY_CONSUMER, "{\"consumer\": \"c" + i + "\"}")).toList();
        assertThat(plan(many)).startsWith("120 findings; ").endsWith("\n  … and 20 more\n");
    }

    @Test
    void offersUndoOnlyIfFindingsWereHealed() {
        assertThat(AuditText.render(new AuditOutcome.Healed(null, List.of(), List.of("x"), Set.of())))
                .isEqualTo("""
                        healed: 0 findings; skipped: 1

                        Skipped, because they have changed, were not found, or cannot be healed:
                          x
                        """);
        assertThat(AuditText.render(new AuditOutcome.Healed(
                AUDIT, List.of(finding(FindingKind.EMPTY_CONSUMER, "{\"consumer\": \"c\"}")), List.of(), Set.of())))
                .startsWith("healed: 1 finding; skipped: 0\nPOST /berth/v1/audit/" + AUDIT + "/undo (berth audit")
                .contains("\nempty_consumer: 1 finding, ");
        assertThat(AuditText.render(new AuditOutcome.Undone(AUDIT, 1_200))).isEqualTo("undone: 1,200 rows\n");
    }

    private static String plan(List<Finding> findings) {
        return AuditText.render(new AuditOutcome.Plan(findings, Set.of(), List.of()));
    }

    private static Finding finding(FindingKind kind, String detail) {
        return Finding.of(kind, null, List.of(), 0, detail);
    }
}
