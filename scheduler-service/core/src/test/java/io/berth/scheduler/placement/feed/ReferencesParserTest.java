package io.berth.scheduler.placement.feed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.scheduler.placement.candidate.FleetPosition;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the parser of placement's responses with references. */
class ReferencesParserTest {
    private static final String NOTHING =
            "{\"replica\":\"A\",\"position\":1,\"parts\":[],\"classes\":[],\"trees\":\"\",\"requests\":[],\"changed\":[]}";

    private static References parse(String body) throws IOException {
        return ReferencesParser.parse(body.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void parsesAResponseWithoutCandidates() throws IOException {
        References answer = parse(NOTHING.replace("{\"replica\"", "{\"later\":{\"x\":[]},\"replica\""));
        assertThat(answer.count()).isZero();
        assertThat(answer.fleetPosition()).isEqualTo(new FleetPosition("A", 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "<html>",
        "[]",
        "{}",
        "{\"replica\":\"A\",\"position\":1}",
        "{\"replica\":\"A\",\"position\":1,\"parts\":[],\"trees\":\"AAAA\",\"requests\":[],\"changed\":[]}",
        "{\"replica\":\"A\",\"position\":1,\"parts\":[],\"trees\":\"\",\"requests\":[[0,[[1]]]],\"changed\":[]}",
        "{\"replica\":\"A\",\"position\":1,\"parts\":[],\"trees\":\"\",\"requests\":[[-1,[]]],\"changed\":[]}",
        "{\"replica\":\"A\",\"position\":1,\"parts\":[],\"trees\":\"AAAAAAAAAAEAAAAAAAAAAQ==\",\"requests\":[[0,[[1]]]],"
                + "\"changed\":[]}",
        "{\"replica\":\"A\",\"position\":1,\"parts\":[],\"trees\":\"\",\"requests\":[],\"changed\":[{\"id\":1}]}",
        "{\"replica\":\"A\",\"position\":1,\"parts\":[],\"trees\":\"\",\"requests\":[],\"changed\":["
                + "{\"id\":1,\"version\":1,\"providers\":[{\"id\":1}]}]}",
        "{\"replica\":null,\"position\":1,\"parts\":[],\"trees\":\"\",\"requests\":[],\"changed\":[]}",
        "{\"replica\":\"A\",\"position\":1,\"parts\":[],\"trees\":\"\",\"requests\":[],\"changed\":[]"})
    void refusesIncompleteResponses(String body) {
        assertThatThrownBy(() -> parse(body)).isInstanceOf(IOException.class);
    }

    @Test
    void parsesProviderTreesAndRefusesIncompleteOnes() throws IOException {
        assertThat(ReferencesParser.parseTrees("{\"replica\":\"A\",\"position\":7,\"trees\":[]}"
                .getBytes(StandardCharsets.UTF_8)))
                .isEqualTo(new ReferencesParser.Trees(new FleetPosition("A", 7), List.of()));
        assertThatThrownBy(() -> ReferencesParser.parseTrees("{\"trees\":[]}".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IOException.class);
    }
}
