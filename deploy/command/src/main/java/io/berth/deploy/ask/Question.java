package io.berth.deploy.ask;

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

/** The common part of the commands: the connection, and the output of the text that the scheduler rendered. */
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
    abstract RestClient.Answer ask(RestClient scheduler) throws ApiFailure, InterruptedException;

    @Override
    public final Integer call() throws ApiFailure, InterruptedException {
        RestClient scheduler = cloud.client(Service.SCHEDULER);
        RestClient.Answer answer = ask(json ? scheduler : scheduler.preferringText());
        PrintWriter out = spec.commandLine().getOut();
        out.print(json ? answer.body().toPrettyString() + System.lineSeparator() : answer.text());
        out.flush();
        return switch (answer.headers().firstValue("berth-answer").orElse("")) {
            case "yes" -> CommandLine.ExitCode.OK;
            case "no" -> NO;
            case "incomplete" -> IN_PART;
            default -> throw new ApiFailure(scheduler.endpoint() + " is a scheduler that is older than this command");
        };
    }
}
