package io.berth.identity.file;

import io.berth.identity.Caller;
import jakarta.annotation.Nullable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A file of named secrets, with the identity that each secret proves. Each line is an entry of four words: NAME HASH
 * PROJECT ROLES. PROJECT is an id, {@code system:all}, or {@code -} for none. ROLES are separated by commas, or {@code
 * -} for none. Empty lines and lines that begin with # are ignored.
 *
 * @param entries the entries by their names
 */
record SecretFile(Map<String, Entry> entries) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_@-]{1,64}");
    private static final String NONE = "-";
    private static final String SYSTEM = "system:all";

    record Entry(SecretHash hash, Caller caller) {}

    SecretFile {
        entries = Map.copyOf(entries);
    }

    static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    /**
     * Parses the file. Throws IllegalArgumentException with the number of the first invalid line, and for a file
     * without entries, because such a file may not be completely written.
     */
    static SecretFile parse(String text) {
        Map<String, Entry> entries = new HashMap<>();
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            try {
                String[] words = line.split("\\s+");
                if (words.length != 4) {
                    throw new IllegalArgumentException("an entry must be NAME HASH PROJECT ROLES");
                }
                if (!isName(words[0])) {
                    throw new IllegalArgumentException("a name must have 1 to 64 letters, digits, _, @ or -");
                }
                Entry entry = new Entry(SecretHash.parse(words[1]), caller(words[0], words[2], words[3]));
                if (entries.put(words[0], entry) != null) {
                    throw new IllegalArgumentException("the name " + words[0] + " occurs twice");
                }
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("line " + (i + 1) + ": " + e.getMessage());
            }
        }
        if (entries.isEmpty()) {
            throw new IllegalArgumentException("must have at least one entry");
        }
        return new SecretFile(entries);
    }

    private static Caller caller(String name, String project, String roles) {
        Set<String> roleNames = roles.equals(NONE) ? Set.of() : Set.of(roles.split(","));
        return project.equals(SYSTEM)
                ? Caller.ofSystem(name, roleNames)
                : Caller.ofProject(name, project.equals(NONE) ? null : project, roleNames);
    }

    /**
     * Returns the line of an entry.
     *
     * @param project id of the project; null for none
     * @param system whether the identity is system scoped; then {@code project} is ignored
     */
    static String render(String name, SecretHash hash, @Nullable String project, boolean system, List<String> roles) {
        String scope = system ? SYSTEM : project == null ? NONE : project;
        return name + " " + hash.render() + " " + scope + " " + (roles.isEmpty() ? NONE : String.join(",", roles));
    }
}
