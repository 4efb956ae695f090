package io.berth.deploy.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Tests the request body of {@code berth what-if}. */
class WhatIfCommandTest {
    @Test
    void sendsTheChangesAndACapacityRequestPerFlavor() {
        var command = new WhatIfCommand();
        new CommandLine(command).parseArgs("small=1:64", "--add", "h1=20", "--disable", "h2", "--zone", "az-1");
        assertThat(command.body()).hasToString("{\"changes\":[{\"add\":{\"like\":\"h1\",\"count\":20}},"
                + "{\"disable\":{\"hosts\":[\"h2\"]}}],\"ask\":{\"capacity\":[{\"name\":\"small\",\"request_spec\":"
                + "{\"flavor\":{\"name\":\"small\",\"vcpus\":1,\"memory_mb\":64,\"root_gb\":0},\"availability_zone\":\"az-1\"}}]}}");
    }

    /** An error names a change by its position. */
    @Test
    void sendsTheChangesInOneOrder() {
        var command = new WhatIfCommand();
        new CommandLine(command).parseArgs("1:64", "--enable", "h4", "--disable", "h2", "--remove", "h1");
        assertThat(command.body().path("changes")).hasToString("[{\"remove\":{\"hosts\":[\"h1\"]}},"
                + "{\"disable\":{\"hosts\":[\"h2\"]}},{\"enable\":{\"hosts\":[\"h4\"]}}]");
    }
}
