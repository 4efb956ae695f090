package io.berth.deploy.command;

import io.berth.deploy.analysis.AskCommand;
import io.berth.deploy.analysis.DrainCommand;
import io.berth.deploy.analysis.HowManyCommand;
import io.berth.deploy.analysis.ShadowCommand;
import io.berth.deploy.analysis.WhatIfCommand;
import io.berth.deploy.analysis.WhyCommand;
import io.berth.deploy.analysis.WhyNotCommand;
import io.berth.deploy.demo.DemoCommand;
import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.list.Kind;
import io.berth.deploy.list.StatusCommand;
import io.berth.deploy.migration.ExportCommand;
import io.berth.deploy.migration.ImportCommand;
import io.berth.model.Maps;
import jakarta.annotation.Nullable;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;

/** The main class of {@code berth}: registers the subcommands and turns failures into a message and an exit status. */
@Command(
        name = "berth",
        versionProvider = BerthMain.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        description = {"",
            "Placement and scheduling for OpenStack instances. `berth COMMAND --help` describes a command.", ""},
        footer = {
            "",
            "Which cloud: the options of a command, else clouds.yaml and $$OS_CLOUD, else OS_* variables (Keystone's"
                    + " password, token or application credential; endpoints from its catalog), else this machine.",
            "Exit status: 0 done, 1 the command failed, 2 invalid arguments; others are in the help of a command."
        },
        subcommands = {
            WhyCommand.class, WhyNotCommand.class, HowManyCommand.class, DrainCommand.class, WhatIfCommand.class,
            ShadowCommand.class, StatusCommand.class, VersionCommand.class, AskCommand.class,
            ImportCommand.class, ExportCommand.class, AuditCommand.class, SecretCommand.class, DemoCommand.class,
            ConformanceCommand.class, CompletionCommand.class
        })
public final class BerthMain {
    @SuppressWarnings("UnusedVariable") // picocli reads it
    @Option(names = {"--help", "-h"}, usageHelp = true, scope = CommandLine.ScopeType.INHERIT,
            description = "show this help")
    private boolean help;

    @SuppressWarnings("UnusedVariable") // picocli reads it
    @Option(names = "--version", versionHelp = true, description = "the version of Berth")
    private boolean version;

    private BerthMain() {}

    public static void main(String[] args) {
        // Formats numbers as 1,234.5 on every machine.
        Locale.setDefault(Locale.ROOT);
        var out = new Output();
        var writer = new PrintWriter(out, true, StandardCharsets.UTF_8);
        int status = run(writer, new PrintWriter(System.err, true, StandardCharsets.UTF_8), args);
        // The writer flushes automatically only after println, not after print.
        writer.flush();
        // A reader that stops early, as `head` does, is not an error.
        if (out.failure != null && !String.valueOf(out.failure.getMessage()).contains("Broken pipe")) {
            System.err.println("berth: not all of the output could be written: " + out.failure.getMessage());
            status = Math.max(status, CommandLine.ExitCode.SOFTWARE);
        }
        System.exit(status);
    }

    /** Standard output that keeps the exception of its last failed write; PrintWriter only sets a flag. */
    private static final class Output extends FilterOutputStream {
        private @Nullable IOException failure;

        Output() {
            super(new FileOutputStream(FileDescriptor.out));
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            try {
                out.write(bytes, from, length);
            } catch (IOException e) {
                failure = e;
                throw e;
            }
        }
    }

    /**
     * Runs the command and returns the exit status: 0 done, 1 failed, 2 invalid arguments, or another status, which the
     * help of the subcommand describes.
     */
    public static int run(PrintWriter out, PrintWriter err, String... args) {
        var berth = new CommandLine(new BerthMain());
        Kind.addTo(berth);
        // The script that this subcommand runs parses the options.
        Maps.require(berth.getSubcommands(), "conformance").setUnmatchedOptionsArePositionalParams(true);
        berth.registerConverter(UUID.class, BerthMain::uuid);
        return berth.setHelpFactory(HelpText::new)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(out)
                .setErr(err)
                .setParameterExceptionHandler(
                        (e, _) -> printUsageError(e.getCommandLine(), e.getMessage() + suggestion(e)))
                .setExecutionExceptionHandler((e, command, _) -> {
                    // An error that a user can fix is one line; anything else is a bug and prints a stack trace.
                    if (e instanceof IllegalArgumentException) {
                        return printUsageError(command, String.valueOf(e.getMessage()));
                    }
                    if (e instanceof ApiFailure || e instanceof IOException || e instanceof UncheckedIOException) {
                        command.getErr().println(name(command) + ": " + e.getMessage());
                    } else {
                        e.printStackTrace(command.getErr());
                    }
                    return CommandLine.ExitCode.SOFTWARE;
                })
                .execute(args);
    }

    private static UUID uuid(String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            // picocli adds the class name to the message of any other exception.
            throw new CommandLine.TypeConversionException(text + ": must be a uuid");
        }
    }

    /**
     * Returns the end of an error message: the names of the subcommands if none was named, else the most similar option
     * or subcommand, else an empty text.
     */
    private static String suggestion(CommandLine.ParameterException e) {
        if ("Missing required subcommand".equals(e.getMessage())) {
            return e.getCommandLine().getSubcommands().values().stream()
                    .map(CommandLine::getCommandSpec)
                    .filter(command -> !command.usageMessage().hidden())
                    .map(CommandLine.Model.CommandSpec::name)
                    .collect(Collectors.joining(", ", ": ", ""));
        }
        List<String> suggestions =
                e instanceof CommandLine.UnmatchedArgumentException unmatched ? unmatched.getSuggestions() : List.of();
        return suggestions.isEmpty() ? "" : "; did you mean " + suggestions.getFirst() + "?";
    }

    private static int printUsageError(CommandLine command, String line) {
        command.getErr().println(name(command) + ": " + line + " (try --help)");
        return CommandLine.ExitCode.USAGE;
    }

    private static String name(CommandLine command) {
        return command.getCommandSpec().qualifiedName();
    }

    /** Reads the version from {@code version.txt}, which Maven writes into the jar. */
    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() throws IOException {
            try (InputStream file = BerthMain.class.getResourceAsStream("version.txt")) {
                return new String[] {"berth " + new String(file.readAllBytes(), StandardCharsets.UTF_8).strip()};
            }
        }
    }
}
