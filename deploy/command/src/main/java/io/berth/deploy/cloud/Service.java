package io.berth.deploy.cloud;

/** A service of Berth, under its type in Keystone's catalog. */
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

    /** Returns the type in the catalog, which is also the name of the option for its URL. */
    String type() {
        return type;
    }

    /** Returns the path of a read that requires an identity. */
    String read() {
        return read;
    }

    /** Returns the URL on this machine, unless {@code deploy/berth} sets another (berth.placement.url). */
    public String localUrl() {
        return System.getProperty("berth." + type + ".url", "http://127.0.0.1:" + port);
    }
}
