package io.berth.deploy.analysis;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.http.RestClient;
import jakarta.annotation.Nullable;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Runs {@code berth why-not}: prints, with {@code POST /v1/explanations}, the obstacles that keep an instance off each
 * named host, and the smallest changes that would remove them. If no host is named, the scheduler selects at most five
 * hosts, those with the fewest obstacles.
 */
@Command(
        name = "why-not",
        header = "what keeps an instance off a host, and what would let it in",
        description = {
            "",
            "Shows everything that keeps an instance off a host, and the smallest changes that would admit it."
                    + " Without a host: for the five hosts that lack least.",
            ""
        })
public final class WhyNotCommand extends TimedAnalysisCommand {
    @Parameters(paramLabel = "HOST", arity = "0..*", description = "names of hosts, up to 100")
    private List<String> hosts = List.of();

    @Option(names = "--flavor", paramLabel = "VCPUS:MB[:GB]", converter = FlavorText.Converter.class,
            description = "vcpus, memory in MB, disk in GB: 8:16384:80, or 8:16GiB:80")
    private @Nullable FlavorText flavor;

    @Mixin
    private RequestOptions request;

    WhyNotCommand() {
        super("/v1/explanations");
    }

    @Override
    ObjectNode body() {
        ObjectNode body = RestClient.emptyObject();
        body.set("request_spec", request.requestSpec(flavor));
        if (!hosts.isEmpty()) {
            hosts.forEach(body.putArray("hosts")::add);
        }
        return body;
    }
}
