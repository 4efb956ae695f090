package io.berth.scheduler.request.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class QueryPartsTest {
    @Test
    void leavesOutOneDemandAtATimeAndAsksForOneCandidate() {
        assertThat(QueryParts.of(
                        "limit=1000&member_of=in%3Aa%2Cb&required=T1&resources=MEMORY_MB%3A512%2CVCPU%3A2&root_required=T2%2C%21T3", 16))
                .extracting(QueryParts.Without::demand, QueryParts.Without::queryString)
                .containsExactly(
                        tuple("member_of=in:a,b",
                                "limit=1&required=T1&resources=MEMORY_MB%3A512%2CVCPU%3A2&root_required=T2%2C%21T3"),
                        tuple("required=T1",
                                "limit=1&member_of=in%3Aa%2Cb&resources=MEMORY_MB%3A512%2CVCPU%3A2&root_required=T2%2C%21T3"),
                        tuple("resources=MEMORY_MB:512",
                                "limit=1&member_of=in%3Aa%2Cb&required=T1&resources=VCPU%3A2&root_required=T2%2C%21T3"),
                        tuple("resources=VCPU:2",
                                "limit=1&member_of=in%3Aa%2Cb&required=T1&resources=MEMORY_MB%3A512&root_required=T2%2C%21T3"),
                        tuple("root_required=T2",
                                "limit=1&member_of=in%3Aa%2Cb&required=T1&resources=MEMORY_MB%3A512%2CVCPU%3A2&root_required=%21T3"),
                        tuple("root_required=!T3",
                                "limit=1&member_of=in%3Aa%2Cb&required=T1&resources=MEMORY_MB%3A512%2CVCPU%3A2&root_required=T2"));
    }

    @Test
    void asksForMoreCandidatesWhereTheBestOfThemIsWanted() {
        assertThat(QueryParts.of("limit=9&resources=A%3A1%2CB%3A1", 1).getFirst().queryString(1000))
                .isEqualTo("limit=1000&resources=B%3A1");
    }

    @Test
    void keepsAGroupsOnlyResource() {
        assertThat(QueryParts.of("resources=VCPU%3A2&resources_net=CUSTOM_A%3A1", 16)).isEmpty();
    }

    @Test
    void givesNoMoreVariantsThanWanted() {
        assertThat(QueryParts.of("resources=A%3A1%2CB%3A1%2CC%3A1", 2))
                .extracting(QueryParts.Without::demand)
                .isEqualTo(List.of("resources=A:1", "resources=B:1"));
    }

    private static org.assertj.core.groups.Tuple tuple(String demand, String query) {
        return org.assertj.core.api.Assertions.tuple(demand, query);
    }
}
