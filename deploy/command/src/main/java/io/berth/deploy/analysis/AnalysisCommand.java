package io.berth.deploy.analysis;

import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.RestClient;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/**
 * A command that sends one read-only query to the scheduler and prints the response: the text that the scheduler
 * rendered, or JSON with {@code --json}. The response header {@code berth-answer} ({@code yes}, {@code no} or {@code
 * incomplete}) decides the exit status; a response without one of these values is an error.
 */
@Command(footer = {"",
    "The command claims and changes nothing. Exit status: 0 the result is yes (it was placed, it fits, all"
            + " instances have a host, nothing differs); 1 the command failed; 2 invalid arguments; 3 the result is no;"
            + " 4 the result is incomplete, because the time was up."})
abstract class AnalysisCommand extends SchedulerCommand {
    private static final int EXIT_NO = 3;
    private static final int EXIT_INCOMPLETE = 4;

    /**
     * Sends the query.
     *
     * @param scheduler a client that prefers text to JSON unless {@code --json} is given
     * @throws IllegalArgumentException if the arguments are invalid; the message is one line for the user
     */
    abstract RestClient.Response query(RestClient scheduler) throws ApiFailure, InterruptedException;

    @Override
    public final Integer call() throws ApiFailure, InterruptedException {
        RestClient scheduler = scheduler();
        RestClient.Response response = query(isJson() ? scheduler : scheduler.preferringText());
        PrintWriter out = out();
        out.print(isJson() ? response.body().toPrettyString() + System.lineSeparator() : response.text());
        out.flush();
        return switch (response.headers().firstValue("berth-answer").orElse("")) {
            case "yes" -> CommandLine.ExitCode.OK;
            case "no" -> EXIT_NO;
            case "incomplete" -> EXIT_INCOMPLETE;
            default -> throw new ApiFailure(
                    scheduler.endpoint()
                            + " sent no valid header berth-answer: the scheduler is older than this command");
        };
    }
}
