package io.berth.deploy.ask;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.deploy.cloud.CloudOptions;
import io.berth.deploy.cloud.Service;
import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.RestClient;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine;

/** The common part of the commands: the connection, and the output of the result. */
@Command(footer = {"", "No question claims or changes anything. Exit status: 0 answered, and the answer is yes (it was placed, it fits,"
        + " all have a place, nothing differs); 1 it failed; 2 the arguments make no sense; 3 answered, and the answer is no;"
        + " 4 only answered in part, since the time was over."})
abstract class Question implements Callable<Integer> {
    private static final int NO = 3;
    private static final int IN_PART = 4;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Mixin
    private CloudOptions cloud;

    @Option(names = "--json", description = "the answer as it came")
    private boolean json;

    /** @throws IllegalArgumentException with one line for the user */
    abstract JsonNode ask(RestClient scheduler) throws ApiFailure, InterruptedException;

    abstract void print(JsonNode answer, PrintWriter out);

    abstract boolean isYes(JsonNode answer);

    @Override
    public final Integer call() throws ApiFailure, InterruptedException {
        JsonNode answer = ask(cloud.client(Service.SCHEDULER));
        PrintWriter out = spec.commandLine().getOut();
        boolean isWhole = answer.path("complete").asBoolean(true);
        if (json) {
            out.println(answer.toPrettyString());
        } else {
            print(answer, out);
            if (!isWhole) {
                out.println("Not complete: the time was over; --timeout gives more.");
            }
        }
        return !isWhole ? IN_PART : isYes(answer) ? CommandLine.ExitCode.OK : NO;
    }
}
