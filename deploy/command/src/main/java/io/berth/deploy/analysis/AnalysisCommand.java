package io.berth.deploy.analysis;

import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.RestClient;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine;

/**
 * A command that sends one read-only query to the scheduler and prints the response: the text that the scheduler
 * rendered, or JSON with {@code --json}. The exit status follows from the response header {@code berth-answer}.
 */
@Command(footer = {"",
    "The command claims and changes nothing. Exit status: 0 the result is yes (it was placed, it fits, all"
            + " instances have a host, nothing differs); 1 the command failed; 2 invalid arguments; 3 the result is no;"
            + " 4 the result is incomplete, because the time was up."})
abstract class AnalysisCommand extends SchedulerCommand {
    private static final int NO = 3;
    private static final int IN_PART = 4;

    /**
     * Sends the query.
     *
     * @param scheduler a client that prefers text to JSON unless {@code --json} is given
     * @throws IllegalArgumentException if the arguments are invalid, with one line for the user
     */
    abstract RestClient.Response query(RestClient scheduler) throws ApiFailure, InterruptedException;

    @Override
    public final Integer call() throws ApiFailure, InterruptedException {
        RestClient scheduler = scheduler();
        RestClient.Response answer = query(isJson() ? scheduler : scheduler.preferringText());
        PrintWriter out = out();
        out.print(isJson() ? answer.body().toPrettyString() + System.lineSeparator() : answer.text());
        out.flush();
        return switch (answer.headers().firstValue("berth-answer").orElse("")) {
            case "yes" -> CommandLine.ExitCode.OK;
            case "no" -> NO;
            case "incomplete" -> IN_PART;
            default -> throw new ApiFailure(
                    scheduler.endpoint() + " sent no header berth-answer: the scheduler is older than this command");
        };
    }
}
