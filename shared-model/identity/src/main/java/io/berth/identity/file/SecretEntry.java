package io.berth.identity.file;

import jakarta.annotation.Nullable;
import java.security.SecureRandom;
import java.util.List;

/** Creates the entries that {@code berth secret} prints for a secrets file. */
public final class SecretEntry {
    private SecretEntry() {}

    /**
     * Checks the name of an entry.
     *
     * @throws IllegalArgumentException with a message of one line for the user
     */
    public static void requireName(String name) {
        if (!SecretFile.isName(name)) {
            throw new IllegalArgumentException(name + ": a name must have 1 to 64 letters, digits, _, @ or -");
        }
    }

    /**
     * Returns one line of the file, without a line break.
     *
     * @param project id of the project; null for none
     * @param system whether the identity is system scoped, instead of scoped to a project
     * @throws IllegalArgumentException with a message of one line for the user
     */
    public static String render(String name, char[] secret, @Nullable String project, boolean system,
            List<String> roles, SecureRandom random) {
        String line = SecretFile.render(name, SecretHash.of(secret, random), project, system, roles);
        // Throws for an entry that the services would refuse when they read the file.
        SecretFile.parse(line);
        return line;
    }
}
