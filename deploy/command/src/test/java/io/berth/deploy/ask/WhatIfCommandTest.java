package io.berth.deploy.ask;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class WhatIfCommandTest {
    @Test
    void asksOfEachFlavorHowManyFitAfterTheChanges() {
        var command = new WhatIfCommand();
        new CommandLine(command).parseArgs("small=1:64", "--add", "h1=20", "--disable", "h2", "--zone", "az-1");
        assertThat(command.body()).hasToString("{\"changes\":[{\"add\":{\"like\":\"h1\",\"count\":20}},"
                + "{\"disable\":{\"hosts\":[\"h2\"]}}],\"ask\":{\"capacity\":[{\"name\":\"small\",\"request_spec\":"
                + "{\"flavor\":{\"name\":\"small\",\"vcpus\":1,\"memory_mb\":64,\"root_gb\":0},\"availability_zone\":\"az-1\"}}]}}");
    }

    @Test
    void printsBothNumbersAndSaysNoWhereItWouldBeFewer() throws Exception {
        JsonNode answer = new ObjectMapper().readTree("""
                {"before": {"capacity": [{"name": "small", "count": 1200}, {"name": "large", "count": 5}]},
                 "after": {"capacity": [{"name": "small", "count": 1400}, {"name": "large", "count": 4}]},
                 "difference": {"capacity": [{"name": "small", "count": 200}, {"name": "large", "count": -1}]},
                 "gaps": ["one host was not looked at"], "complete": true}""");
        var said = new StringWriter();
        new WhatIfCommand().print(answer, new PrintWriter(said, true));
        assertThat(said).hasToString("""
                  flavor  fit now   then
                  small     1,200  1,400
                  large         5      4
                  one host was not looked at
                """);
        assertThat(new WhatIfCommand().isYes(answer)).isFalse();
    }
}
