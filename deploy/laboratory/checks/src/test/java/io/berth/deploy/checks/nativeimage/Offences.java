package io.berth.deploy.checks.nativeimage;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.function.Supplier;

/** The faults that the checks must find, for {@link FindingTest}; no code calls these methods. */
final class Offences {
    static final byte[] DRAWN = drawn();
    static final int CPUS = Machine.cpus();
    /** Allowed, because it is read at run time. */
    static final Supplier<String> LATE = () -> System.getenv("HOME");

    private Offences() {}

    record Unregistered(int value) {}

    private static final class Machine {
        static int cpus() {
            return Runtime.getRuntime().availableProcessors();
        }
    }

    private static byte[] drawn() {
        byte[] secret = new byte[4];
        new SecureRandom().nextBytes(secret);
        return secret;
    }

    static Unregistered bind(ObjectMapper mapper, String json) throws IOException {
        return mapper.readValue(json, Unregistered.class);
    }

    static String write(ObjectMapper mapper) throws IOException {
        var body = new Unregistered(1);
        return mapper.writeValueAsString(body);
    }
}
