package io.berth.deploy.command;

import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine;

/** Prints a script with which a shell completes commands and options. */
@Command(
        name = "completion",
        header = "a script that completes commands in bash and zsh",
        description = {"", "Prints a script for bash and zsh: source <(berth completion)", ""})
final class CompletionCommand implements Runnable {
    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Override
    public void run() {
        CommandLine berth = spec.root().commandLine();
        spec.commandLine().getOut().print(AutoComplete.bash(berth.getCommandName(), berth));
    }
}
