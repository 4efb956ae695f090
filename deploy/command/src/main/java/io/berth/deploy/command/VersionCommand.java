package io.berth.deploy.command;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Prints the version, as {@code berth --version} does. */
@Command(name = "version", header = "the version of Berth")
final class VersionCommand implements Runnable {
    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Override
    public void run() {
        spec.root().commandLine().printVersionHelp(spec.commandLine().getOut());
    }
}
