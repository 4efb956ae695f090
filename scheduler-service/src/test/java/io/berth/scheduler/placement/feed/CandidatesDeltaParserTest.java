package io.berth.scheduler.placement.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.scheduler.placement.AllocationRequest;
import io.berth.scheduler.placement.ProviderSummary;
import io.berth.scheduler.placement.RootCandidates;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CandidatesDeltaParserTest {
    private static final String WHOLE = """
            {"token": "t1", "held": null, "later": {"x": []}, "roots": [%s, %s, %s]}"""
            .formatted(full("a", 0), full("b", 1), full("c", 2));

    private static String summaries(String uuid, int used) {
        return """
                "provider_summaries": {"%1$s": {"resources": {"VCPU": {"capacity": 8, "used": %2$d}}, "traits": ["T"],
                "parent_provider_uuid": null, "root_provider_uuid": "%1$s"}}""".formatted(uuid, used);
    }

    private static String full(String uuid, int used) {
        return """
                {"root_provider_uuid": "%1$s", %2$s, "allocation_requests": [
                {"allocations": {"%1$s": {"resources": {"VCPU": 1}}}, "mappings": {"": ["%1$s"]}}]}"""
                .formatted(uuid, summaries(uuid, used));
    }

    private static HeldCandidates parse(String body, HeldCandidates held) throws IOException {
        return CandidatesDeltaParser.parse(body.getBytes(StandardCharsets.UTF_8), held);
    }

    private static RootCandidates root(String uuid, int used) {
        return new RootCandidates(
                uuid,
                List.of(new ProviderSummary(uuid, uuid, Map.of("VCPU", new ProviderSummary.Usage(8, used)), false)),
                List.of(new AllocationRequest(Map.of(uuid, Map.of("VCPU", 1L)), Map.of("", List.of(uuid)))));
    }

    @Test
    void readsAnAnswerInFull() throws IOException {
        HeldCandidates held = parse(WHOLE, null);
        assertThat(held.token()).isEqualTo("t1");
        assertThat(held.candidates().roots()).containsExactly(root("a", 0), root("b", 1), root("c", 2));
    }

    @Test
    void leavesTreesThatDidNotChangeTheObjectsTheyAre() throws IOException {
        HeldCandidates first = parse(WHOLE, null);
        HeldCandidates second = parse(
                "{\"token\":\"t2\",\"held\":\"t1\",\"roots\":[[2,1],{\"held\":1,%s},[0,1],%s]}"
                        .formatted(summaries("b", 7), full("d", 3)),
                first);
        List<RootCandidates> before = first.candidates().roots();
        List<RootCandidates> after = second.candidates().roots();
        assertThat(after).containsExactly(root("c", 2), root("b", 7), root("a", 0), root("d", 3));
        assertThat(after.get(0)).isSameAs(before.get(2));
        assertThat(after.get(2)).isSameAs(before.get(0));
        assertThat(after.get(1).requests()).isSameAs(before.get(1).requests());
    }

    @Test
    void isTheSameAnswerWhenNothingChanged() throws IOException {
        HeldCandidates first = parse(WHOLE, null);
        HeldCandidates second = parse("{\"token\":\"t1\",\"held\":\"t1\",\"roots\":[[0,3]]}", first);
        assertThat(second.candidates()).isSameAs(first.candidates());
    }

    @Test
    void appliesChangesToTheAnswerThatTheReplicaGaveAndSharesTreesWithTheLatest() throws IOException {
        HeldCandidates ofA = parse(WHOLE, null);
        HeldCandidates ofB = parse(WHOLE.replace("\"t1\"", "\"b1\""), ofA);
        assertThat(ofB.candidates()).as("told in full, and the same").isSameAs(ofA.candidates());
        assertThat(ofB.before()).extracting(HeldCandidates::token).containsExactly("t1");
        HeldCandidates changed = parse(
                "{\"token\":\"t2\",\"held\":\"t1\",\"roots\":[[0,1],{\"held\":1,%s},[2,1]]}".formatted(summaries("b", 7)),
                ofB);
        HeldCandidates again = parse(
                "{\"token\":\"b2\",\"held\":\"b1\",\"roots\":[[0,1],{\"held\":1,%s},[2,1]]}".formatted(summaries("b", 7)),
                changed);
        assertThat(again.candidates()).isSameAs(changed.candidates());
        assertThat(again.before()).extracting(HeldCandidates::token).containsExactly("t2");
    }

    @Test
    void forgetsTheOldestOfManyReplicas() throws IOException {
        HeldCandidates held = parse(WHOLE, null);
        for (int replica = 2; replica < 20; replica++) {
            held = parse(WHOLE.replace("\"t1\"", "\"t" + replica + "\""), held);
        }
        assertThat(held.all()).hasSize(HeldCandidates.ANSWERS_MAX).first()
                .extracting(HeldCandidates::token).isEqualTo("t19");
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "<html>",
            "[]",
            "{}",
            "{\"token\":\"t2\"}",
            "{\"token\":\"t2\",\"held\":\"another\",\"roots\":[]}",
            "{\"token\":\"t2\",\"held\":\"t1\",\"roots\":[[2,2]]}",
            "{\"token\":\"t2\",\"held\":\"t1\",\"roots\":[[-1,1]]}",
            "{\"token\":\"t2\",\"held\":\"t1\",\"roots\":[[1,-1]]}",
            "{\"token\":\"t2\",\"held\":\"t1\",\"roots\":[[1,2147483647]]}",
            "{\"token\":\"t2\",\"held\":\"t1\",\"roots\":[[0,1,2]]}",
            "{\"token\":\"t2\",\"held\":\"t1\",\"roots\":[\"a\"]}",
            "{\"token\":\"t2\",\"held\":\"t1\",\"roots\":[{\"held\":3,\"provider_summaries\":{}}]}",
            "{\"token\":\"t2\",\"held\":\"t1\",\"roots\":[{\"held\":1}]}",
            "{\"token\":\"t2\",\"held\":\"t1\",\"roots\":[{\"root_provider_uuid\":\"x\",\"provider_summaries\":{}}]}",
            "{\"token\":\"t2\",\"held\":\"t1\",\"roots\":[[0,1]"})
    void refusesWhatDoesNotFitTheAnswerHeld(String body) throws IOException {
        HeldCandidates held = parse(WHOLE, null);
        assertThatThrownBy(() -> parse(body, held)).isInstanceOf(IOException.class);
    }

    @Test
    void refusesChangesWhereNothingIsHeld() {
        assertThatThrownBy(() -> parse("{\"token\":\"t2\",\"held\":\"t1\",\"roots\":[]}", null))
                .isInstanceOf(IOException.class);
    }
}
