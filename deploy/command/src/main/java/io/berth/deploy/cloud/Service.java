package io.berth.deploy.cloud;

/** A service of Berth, under its type in Keystone's catalogue. */
public enum Service {
    PLACEMENT("placement", 8778, "/resource_classes"),
    SCHEDULER("scheduler", 8779, "/v1/server_groups?limit=1");

    private final String type;
    private final int port;
    private final String read;

    Service(String type, int port, String read) {
        this.type = type;
        this.port = port;
        this.read = read;
    }

    /** In the catalogue, and the name of the option that says its URL. */
    String type() {
        return type;
    }

    /** Path of a read that somebody has to be identified for. */
    String read() {
        return read;
    }

    /** Where it is on this machine, unless {@code deploy/berth} says (berth.placement.url) that it is elsewhere. */
    public String localUrl() {
        return System.getProperty("berth." + type + ".url", "http://127.0.0.1:" + port);
    }
}
