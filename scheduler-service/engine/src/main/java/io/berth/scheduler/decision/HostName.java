package io.berth.scheduler.decision;

import io.berth.scheduler.host.HostState;

/** The names that identify a host: the host name of its compute service, and the name of its compute node. */
public record HostName(String host, String nodename) {
    public static HostName of(HostState state) {
        return new HostName(state.host(), state.nodename());
    }
}
