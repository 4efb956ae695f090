package io.berth.deploy.cloud;

/** A service of Berth: its type in Keystone's catalog, its local port, and a GET request that requires a login. */
public enum Service {
    PLACEMENT("placement", 8778, "/resource_classes"),
    SCHEDULER("scheduler", 8779, "/v1/server_groups?limit=1");

    private final String type;
    private final int port;
    private final String probePath;

    Service(String type, int port, String probePath) {
        this.type = type;
        this.port = port;
        this.probePath = probePath;
    }

    /**
     * Returns the service type in Keystone's catalog, which is also the name of the option of {@code berth} for the
     * URL, as in {@code --placement}.
     */
    String type() {
        return type;
    }

    /** Returns the path of a cheap GET request that the service refuses with 401 without a valid credential. */
    String probePath() {
        return probePath;
    }

    /** Returns the URL on this machine; the system property berth.placement.url or berth.scheduler.url overrides it. */
    public String localUrl() {
        return System.getProperty("berth." + type + ".url", "http://127.0.0.1:" + port);
    }
}
