package io.berth.placement.candidate.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.model.Microversion;
import io.berth.placement.http.ApiException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the parser of candidate queries, and its error messages against the reference's. */
class CandidateQueryParserTest {
    private static final String A = "30f88cf0-9d2c-4b3c-9a1c-6a1c1c1c1c1a";
    private static final String B = "30f88cf0-9d2c-4b3c-9a1c-6a1c1c1c1c1b";

    private static CandidateQuery parse(String version, String query) {
        return CandidateQueryParser.parse(QueryText.parameters(query), Microversion.parse(version).orElseThrow());
    }

    @Test
    void parsesAllParameters() {
        var query = parse("1.39", "resources=VCPU:2,MEMORY_MB:1024&required=in:T1,T2&required=T3,!T4"
                + "&member_of=" + A + "&member_of=!in:" + A + "," + B
                + "&resources_NET1=CUSTOM_VF:1&in_tree_NET1=" + B.replace("-", "").toUpperCase(Locale.ROOT)
                + "&required_NUMA=T5&same_subtree=_NET1,_NUMA&group_policy=isolate&limit=5&root_required=T6,!T7");
        assertThat(query.limit()).isEqualTo(5);
        assertThat(query.groupPolicy()).isEqualTo(CandidateQuery.GroupPolicy.ISOLATE);
        assertThat(query.rootRequired()).containsExactly("T6");
        assertThat(query.rootForbidden()).containsExactly("T7");
        assertThat(query.sameSubtrees()).containsExactly(Set.of("_NET1", "_NUMA"));
        assertThat(query.nesting()).isEqualTo(CandidateQuery.Nesting.AWARE);
        assertThat(query.groups()).containsExactly(
                new RequestGroup(
                        "", Map.of("VCPU", 2L, "MEMORY_MB", 1024L), List.of(Set.of("T1", "T2"), Set.of("T3")),
                        Set.of("T4"),
                        List.of(Set.of(UUID.fromString(A))), Set.of(UUID.fromString(A), UUID.fromString(B)), null),
                new RequestGroup(
                        "_NET1", Map.of("CUSTOM_VF", 1L), List.of(), Set.of(), List.of(), Set.of(), UUID.fromString(B)),
                new RequestGroup("_NUMA", Map.of(), List.of(Set.of("T5")), Set.of(), List.of(), Set.of(), null));
    }

    @Test
    void parsesWithoutInventoryOnlyForBerthsOwnRoutes() {
        String query = "resources=VCPU:2&without_inventory=PCPU,CUSTOM_A";
        CandidateQuery own = CandidateQueryParser.parseOwn(QueryText.parameters(query));
        assertThat(own.withoutInventory()).containsExactlyInAnyOrder("PCPU", "CUSTOM_A");
        assertThat(own.groups()).isEqualTo(parse("1.39", "resources=VCPU:2").groups());
        assertThatThrownBy(() -> parse("1.39", query)).isInstanceOf(ApiException.class);
        assertThatThrownBy(
                () -> CandidateQueryParser.parseOwn(QueryText.parameters("resources=VCPU:2&without_inventory=")))
                .isInstanceOf(ApiException.class);
    }

    @Test
    void defaultsToNoLimitAndGroupPolicyNone() {
        var query = parse("1.10", "resources=VCPU:2");
        assertThat(query.limit()).isEqualTo(CandidateQuery.NO_LIMIT);
        assertThat(query.groupPolicy()).isEqualTo(CandidateQuery.GroupPolicy.NONE);
        assertThat(query.nesting()).isEqualTo(CandidateQuery.Nesting.UNAWARE);
        assertThat(parse("1.16", "resources=VCPU:2&limit=99999999999999").limit()).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void usesTheLastRequiredParameterBefore1Dot39() {
        assertThat(parse("1.38", "resources=VCPU:1&required=T1&required=T2").groups().getFirst().required())
                .containsExactly(Set.of("T2"));
        assertThat(parse("1.39", "resources=VCPU:1&required=T1&required=T2").groups().getFirst().required())
                .containsExactly(Set.of("T1"), Set.of("T2"));
    }

    @ParameterizedTest(name = "{0} accepts {2}, {1} refuses it")
    @CsvSource({
        "1.16, 1.15, resources=VCPU:1&limit=1",
        "1.17, 1.16, resources=VCPU:1&required=T",
        "1.21, 1.20, resources=VCPU:1&member_of=" + A,
        "1.22, 1.21, resources=VCPU:1&required=!T",
        "1.24, 1.23, resources=VCPU:1&member_of=" + A + "&member_of=" + B,
        "1.25, 1.24, resources1=VCPU:1",
        "1.25, 1.24, resources=VCPU:1&group_policy=none",
        "1.31, 1.30, resources=VCPU:1&in_tree=" + A,
        "1.32, 1.31, resources=VCPU:1&member_of=!" + A,
        "1.33, 1.32, resources_A=VCPU:1",
        "1.35, 1.34, resources=VCPU:1&root_required=T",
        "1.36, 1.35, resources1=VCPU:1&same_subtree=1",
        "1.39, 1.38, 'resources=VCPU:1&required=in:T,U'"})
    void acceptsEachParameterFromItsMicroversion(String first, String before, String query) {
        assertThat(parse(first, query).groups()).isNotEmpty();
        assertThatThrownBy(() -> parse(before, query)).isInstanceOfSatisfying(
                ApiException.class, refused -> assertThat(refused.status()).isEqualTo(400));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
        "1.10 | limit=1 | placement.undefined_code | Invalid query string parameters: 'resources' is a required"
                + " property",
        "1.24 | resources=VCPU:1&x=1 | placement.undefined_code | ('x' was unexpected)",
        "1.25 | resources01=VCPU:1 | placement.undefined_code | 'resources01' does not match any of the regexes:"
                + " '^member_of([1-9][0-9]*)?$'",
        "1.39 | resources= | placement.undefined_code | ?resources=VCPU:2,MEMORY_MB:1024. Got: empty string.",
        "1.39 | resources=VCPU:1:2 | placement.undefined_code | ?resources=VCPU:2,MEMORY_MB:1024. Got: VCPU:1:2.",
        "1.39 | resources=VCPU:x | placement.undefined_code | Requested resource VCPU expected positive integer"
                + " amount. Got: x.",
        "1.39 | resources=VCPU:-1 | placement.undefined_code | Requested resource VCPU requires amount >= 1. Got: -1.",
        "1.39 | resources=VCPU:1&required=T, | placement.undefined_code | of the form: HW_CPU_X86_VMX,!CUSTOM_MAGIC."
                + " Got an empty trait in: T,",
        "1.39 | resources=VCPU:1&required=in:T,!U | placement.undefined_code | does not support forbidden traits."
                + " Got: in:T,!U",
        "1.39 | resources=VCPU:1&required=T,!T | placement.undefined_code | in the following traits keys: required:"
                + " (T)",
        "1.39 | resources=VCPU:1&member_of=x | placement.undefined_code | Expected 'member_of' parameter to contain"
                + " valid UUID(s). Got: x",
        "1.39 | resources=VCPU:1&in_tree=x | placement.undefined_code | Expected 'in_tree' parameter to be a format"
                + " of uuid. Got: x",
        "1.39 | resources1=VCPU:1&resources2=VCPU:1 | placement.undefined_code | specifying more than one"
                + " \"resources{N}\" parameter.",
        "1.39 | resources=VCPU:1&group_policy=x | placement.undefined_code | 'x' is not one of ['none', 'isolate']",
        "1.39 | resources=VCPU:1&root_required=T&root_required=U | placement.query.duplicate_key | 'root_required'"
                + " may be specified only once.",
        "1.39 | resources=VCPU:1&root_required=T,!T | placement.query.bad_value | found in root_required: T",
        "1.39 | required1=T&same_subtree=1 | placement.query.missing_value | at least one resources or resources[$S]"
                + " parameter.",
        "1.39 | resources1=VCPU:1&required2=T | placement.query.bad_value | bad group(s) - ['2'].",
        "1.39 | resources1=VCPU:1&same_subtree=1,9 | placement.query.bad_value | ['9'] not found in ['1'].",
        "1.39 | resources1=VCPU:1&same_subtree=1, | placement.query.bad_value | (unsuffixed group) can not be"
                + " specified in `same_subtree`",
        "1.35 | resources1=VCPU:1&required2=T | placement.undefined_code | Found the following orphaned traits keys:"
                + " required2",
        "1.35 | resources1=VCPU:1&member_of2=" + A
                + " | placement.undefined_code | orphaned member_of keys: member_of2",
        "1.35 | resources1=VCPU:1&required2=!T | placement.undefined_code | All request groups must specify resources.",
        "1.35 | group_policy=none | placement.undefined_code | At least one request group (`resources` or"
                + " `resources{$S}`) is required."})
    void refusesWithTheMessagesOfTheReference(String version, String query, String code, String words) {
        assertThatThrownBy(() -> parse(version, query)).isInstanceOfSatisfying(ApiException.class, refused -> {
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.code().wire()).isEqualTo(code);
            assertThat(refused.getMessage()).contains(words);
        });
    }
}
