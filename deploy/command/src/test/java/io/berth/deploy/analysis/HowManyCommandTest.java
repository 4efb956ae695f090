package io.berth.deploy.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Tests the request body of {@code berth how-many}. */
class HowManyCommandTest {
    @Test
    void sendsOneRequestSpecPerFlavorFromStandardInput() {
        InputStream before = System.in;
        System.setIn(new ByteArrayInputStream(
                "{\"availability_zone\": \"az-1\", \"flavor\": {\"swap\": 512}}".getBytes(StandardCharsets.UTF_8)));
        try {
            var command = new HowManyCommand();
            new CommandLine(command).parseArgs("1:64", "2:128", "--request", "-");
            JsonNode requests = command.body().path("requests");
            assertThat(requests).extracting(each -> each.path("request_spec").toString()).containsExactly(
                    "{\"availability_zone\":\"az-1\",\"flavor\":{\"swap\":512,\"name\":\"1:64\",\"vcpus\":1,"
                            + "\"memory_mb\":64,\"root_gb\":0}}",
                    "{\"availability_zone\":\"az-1\",\"flavor\":{\"swap\":512,\"name\":\"2:128\",\"vcpus\":2,"
                            + "\"memory_mb\":128,\"root_gb\":0}}");
        } finally {
            System.setIn(before);
        }
    }
}
