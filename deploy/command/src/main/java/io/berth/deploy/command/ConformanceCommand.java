package io.berth.deploy.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * Runs the script {@code deploy/conformance} of the git clone that {@code deploy/berth} runs from, with all arguments.
 * {@code deploy/berth} passes the path of the clone in the system property berth.clone. The script starts and stops
 * services of its own.
 */
@Command(
        name = "conformance",
        header = "the Placement API's suites, from a clone",
        description = {
            "",
            "Runs the Placement API's conformance suites on services of its own. Works only in a clone. Passes all"
                    + " arguments to deploy/conformance and ends with its exit status.",
            ""
        })
final class ConformanceCommand implements Callable<Integer> {
    @Parameters(paramLabel = "ARGUMENT", arity = "0..*", description = "--list, --only, --suites, --profiles, ...")
    private List<String> arguments = List.of();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path script = Path.of(System.getProperty("berth.clone", ""), "deploy", "conformance").toAbsolutePath();
        if (!Files.isExecutable(script)) {
            throw new IllegalArgumentException("there is no " + script + ": run deploy/berth of a clone");
        }
        List<String> command = new ArrayList<>(List.of(script.toString()));
        command.addAll(arguments);
        return new ProcessBuilder(command).inheritIO().start().waitFor();
    }
}
