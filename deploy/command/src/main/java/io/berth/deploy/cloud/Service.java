package io.berth.deploy.cloud;

/** A service of Berth: its type in Keystone's catalog, its port on this machine, and a read that requires a login. */
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

    /** Returns the type in the catalog. The command's option for the URL has the same name: {@code --placement}. */
    String type() {
        return type;
    }

    /** Returns the path of a cheap GET request that the service refuses with 401 without a valid credential. */
    String read() {
        return read;
    }

    /** Returns the URL on this machine; the system property berth.placement.url or berth.scheduler.url overrides it. */
    public String localUrl() {
        return System.getProperty("berth." + type + ".url", "http://127.0.0.1:" + port);
    }
}
