package io.berth.deploy.process;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.Logger;
import org.jboss.logmanager.ExtHandler;
import org.jboss.logmanager.ExtLogRecord;

/** Collects the texts of the messages that a class or log category of this JVM logs, until the object is closed. */
public final class LogLines implements AutoCloseable {
    private final Queue<String> lines = new ConcurrentLinkedQueue<>();
    private final Logger log;
    private final Handler listener = new ExtHandler() {
        @Override
        @SuppressWarnings("deprecation")
        protected void doPublish(ExtLogRecord line) {
            lines.add(line.getFormattedMessage());
        }
    };

    private LogLines(Logger log) {
        this.log = log;
    }

    public static LogLines of(Class<?> loggingClass) {
        return of(loggingClass.getName());
    }

    public static LogLines of(String category) {
        LogLines lines = new LogLines(Logger.getLogger(category));
        lines.log.addHandler(lines.listener);
        return lines;
    }

    public List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    public void close() {
        log.removeHandler(listener);
    }
}
