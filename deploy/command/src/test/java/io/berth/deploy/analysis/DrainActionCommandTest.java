package io.berth.deploy.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/**
 * Tests the request bodies, the output and the exit statuses of {@code berth drain start}, {@code status} and {@code
 * next}.
 */
class DrainActionCommandTest {
    private static JsonNode json(String text) throws Exception {
        return new ObjectMapper().readTree(text);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "rack h1 h2                                 | {'select':{'hosts':['h1','h2']}}",
        "rack --zone az-1 --parallel 3 --per-host 2 | {'select':{'zone':'az-1'},'parallel':3,'per_host':2}",
        "--reason memory rack --trait CUSTOM_R      | {'select':{'trait':'CUSTOM_R'},'reason':'memory'}"})
    void startSendsTheSelectionOfHostsAndTheLimits(String arguments, String body) {
        var start = new DrainActionCommand.Start();
        new CommandLine(start).parseArgs(arguments.split(" "));
        assertThat(start.body()).hasToString(body.replace('\'', '"'));
    }

    @ParameterizedTest
    @CsvSource({
        "done, 0, 5",
        "stuck, 3, 3",
        "moving, 4, 4",
        "waiting, 4, 4"})
    void exitStatusFollowsTheStateOfTheDrain(String state, int ofStatus, int ofNext) throws Exception {
        JsonNode response = json("{\"state\": \"" + state + "\", \"moves\": []}");
        assertThat(new DrainActionCommand.Status().exitStatus(response)).isEqualTo(ofStatus);
        assertThat(new DrainActionCommand.Next().exitStatus(response)).isEqualTo(ofNext);
    }

    @Test
    void nextPrintsAScriptOfTheNextMoves() throws Exception {
        JsonNode response = json("""
                {"drain": "rack", "state": "moving", "under_way": 1, "remaining": 5, "moves": [{}],
                 "commands": ["openstack server migrate --live-migration i1"]}""");
        var printed = new StringWriter();
        new DrainActionCommand.Next().print(response, new PrintWriter(printed, true));
        assertThat(printed).hasToString("""
                # rack: moving; 1 under way, 5 remaining
                openstack server migrate --live-migration i1
                """);
        assertThat(new DrainActionCommand.Next().exitStatus(response)).isZero();
    }

    @Test
    void statusPrintsTheProgressOfADrain() throws Exception {
        JsonNode response = json("""
                {"name": "rack", "state": "stuck",
                 "instances": {"start": 7, "moved": 5, "under_way": 0, "remaining": 2, "stuck": 2},
                 "stuck": [{"instance": "i1", "name": "web-1", "from": "h1", "reason": "None of 2 hosts will do"}],
                 "hosts": [{"host": "h1", "left": {"VCPU": 4}}, {"host": "h2", "vanished": true}], "gaps": []}""");
        var printed = new StringWriter();
        new DrainActionCommand.Status().print(response, new PrintWriter(printed, true));
        assertThat(printed).hasToString("""
                rack: stuck; of 7 instances 5 moved, 0 under way, 2 remaining, 2 stuck
                  stuck on h1: web-1: None of 2 hosts will do
                  4 VCPU on h1 are used by other consumers
                  host h2 is gone
                """);
    }
}
