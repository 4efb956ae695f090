package io.berth.deploy.command;

import java.io.PrintWriter;
import java.io.StringWriter;

/** The output and exit status of one run of the command in this JVM. */
public record Said(int status, String out, String err) {
    public static Said by(String... args) {
        var out = new StringWriter();
        var err = new StringWriter();
        int status = BerthMain.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
        return new Said(status, out.toString(), err.toString());
    }
}
