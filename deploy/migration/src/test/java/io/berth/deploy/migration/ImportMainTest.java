package io.berth.deploy.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImportMainTest {
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    private int run(String... args) {
        var err = new PrintStream(said, true, StandardCharsets.UTF_8);
        return ImportMain.run(new PrintStream(new ByteArrayOutputStream()), err, args);
    }

    private String said() {
        return said.toString(StandardCharsets.UTF_8);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', value = {
        "                                             | --from",
        "--from ftp://host                            | ftp://host is no URL such as",
        "--from http://h --to http://h/               | the same",
        "--from http://u:p@h                          | no URL such as",
        "--from http://h --parallel 0                 | --parallel takes 1 to 64, not 0",
        "--from http://h --ca /nowhere                | cannot read certificates from /nowhere",
        "--from http://h --what                       | --what"})
    void refusesArgumentsThatMakeNoSenseInOneLine(String args, String message) {
        assertThat(run(args == null ? new String[0] : args.split(" "))).isEqualTo(2);
        assertThat(said()).startsWith("deploy/import-placement: ").contains(message).hasLineCount(1);
    }

    @Test
    void saysInOneLineThatNobodyAnswers() throws Exception {
        int closed;
        try (var socket = new ServerSocket(0)) {
            closed = socket.getLocalPort();
        }
        assertThat(run("--from", "http://127.0.0.1:" + closed)).isEqualTo(1);
        assertThat(said()).hasLineCount(1).contains("http://127.0.0.1:" + closed + "/: nothing answers there");
    }
}
