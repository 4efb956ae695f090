package io.berth.identity.file;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;

/**
 * Makes one entry of a secrets file and prints it. The secret comes from the terminal or the first line of standard
 * input; with {@code --token} it is made up, and the whole token is told on standard error.
 */
public final class SecretMain {
    private static final String USAGE = """
            usage: deploy/secret NAME [--project ID | --system] [--roles A,B] [--token]
            prints a line for the file of berth.auth.file; reads the password from the terminal or standard input,
            or with --token makes a token up and tells it on standard error""";
    private static final int TOKEN_BYTES = 32;

    private SecretMain() {}

    public static void main(String[] arguments) throws IOException {
        String name = null;
        String project = null;
        boolean system = false;
        boolean token = false;
        List<String> roles = List.of();
        for (int i = 0; i < arguments.length; i++) {
            boolean last = i == arguments.length - 1;
            switch (arguments[i]) {
                case "--help", "-h" -> {
                    System.out.println(USAGE);
                    return;
                }
                case "--system" -> system = true;
                case "--token" -> token = true;
                case "--project" -> project = last ? fail(USAGE) : arguments[++i];
                case "--roles" -> roles = List.of((last ? fail(USAGE) : arguments[++i]).split(","));
                default -> name = name != null || arguments[i].startsWith("-") ? fail(USAGE) : arguments[i];
            }
        }
        if (name == null || !SecretFile.isName(name)) {
            fail(name == null ? USAGE : "a name has 1 to 64 letters, digits, _, @ or -");
        }
        SecureRandom random = new SecureRandom();
        char[] secret = token ? madeUp(random) : read();
        if (secret.length == 0) {
            fail("the password is empty");
        }
        String line = SecretFile.render(name, SecretHash.of(secret, random), project, system, roles);
        SecretFile.parse(line);
        System.out.println(line);
        if (token) {
            System.err.println("token: " + name + "." + new String(secret));
        }
    }

    private static char[] madeUp(SecureRandom random) {
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes).toCharArray();
    }

    @SuppressWarnings("SystemConsoleNull") // since JDK 25 it is null again where there is no terminal
    private static char[] read() throws IOException {
        Console console = System.console();
        if (console != null && console.isTerminal()) {
            return console.readPassword("password: ");
        }
        String line = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        return line == null ? new char[0] : line.toCharArray();
    }

    private static String fail(String line) {
        System.err.println(line);
        System.exit(2);
        return null;
    }
}
