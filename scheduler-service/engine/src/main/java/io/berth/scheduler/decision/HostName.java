package io.berth.scheduler.decision;

import io.berth.scheduler.host.HostState;

/** The names that identify a host in explanations. */
public record HostName(String host, String nodename) {
    public static HostName of(HostState state) {
        return new HostName(state.host(), state.nodename());
    }
}
