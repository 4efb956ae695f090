package io.berth.deploy.command;

import io.berth.identity.file.SecretEntry;
import jakarta.annotation.Nullable;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Runs {@code berth secret}: prints an entry, with the digest of a password or token, for the file that the option
 * berth.auth.file of the services names. Reads the password from standard input or, with {@code --token}, generates a
 * token and prints it to standard error.
 */
@Command(
        name = "secret",
        header = "an entry of a file of secrets",
        description = {
            "",
            "Prints a line for the file of berth.auth.file. Reads the password from the terminal or the first line of"
                    + " standard input; with --token it generates one, and prints the whole token to standard error.",
            ""
        })
final class SecretCommand implements Callable<Integer> {
    private static final int TOKEN_BYTES = 32;

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec;

    @Parameters(paramLabel = "NAME", description = "name of the user: 1 to 64 letters, digits, _, @ or -")
    private String name;

    @ArgGroup
    private Scope scope = new Scope();

    @Option(names = "--roles", paramLabel = "A,B", split = ",",
            description = "admin, service, reader, or roles of the policy file")
    private List<String> roles = List.of();

    @Option(names = "--token", description = "generate a token for the strategy token")
    private boolean token;

    private static final class Scope {
        @Option(names = "--project", paramLabel = "ID", description = "project of the user")
        private @Nullable String project;

        @Option(names = "--system", description = "system scope, instead of a project")
        private boolean system;
    }

    @Override
    public Integer call() throws IOException {
        SecureRandom random = new SecureRandom();
        SecretEntry.requireName(name);
        char[] secret = token ? generateToken(random) : readPassword();
        if (secret.length == 0) {
            throw new IllegalArgumentException("the password is empty");
        }
        spec.commandLine().getOut().println(
                SecretEntry.render(name, secret, scope.project, scope.system, roles, random));
        if (token) {
            spec.commandLine().getErr().println("token: " + name + "." + new String(secret));
        }
        return CommandLine.ExitCode.OK;
    }

    private static char[] generateToken(SecureRandom random) {
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes).toCharArray();
    }

    /**
     * Reads the password: the first line of standard input, with echo off if it is a terminal; empty if there is no
     * line. Does not use System.console(), because that is null if standard output is redirected to the file of
     * secrets.
     */
    private char[] readPassword() throws IOException {
        PrintWriter err = spec.commandLine().getErr();
        boolean isTerminal = setTerminal("-echo");
        if (isTerminal) {
            // The shutdown hook turns the echo on again, also after Ctrl-C.
            Runtime.getRuntime().addShutdownHook(new Thread(() -> setTerminal("echo")));
            err.print("password: ");
            err.flush();
        }
        String line = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        if (isTerminal) {
            err.println();
        }
        return line == null ? new char[0] : line.toCharArray();
    }

    /**
     * Changes a setting of the terminal with stty. Returns false if that failed, because standard input is not a
     * terminal or the machine has no stty.
     */
    private static boolean setTerminal(String setting) {
        try {
            return new ProcessBuilder("stty", setting)
                    .redirectInput(ProcessBuilder.Redirect.INHERIT)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start().onExit().join().exitValue() == 0;
        } catch (IOException e) {
            return false;
        }
    }
}
