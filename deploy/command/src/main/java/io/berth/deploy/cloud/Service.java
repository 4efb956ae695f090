package io.berth.deploy.cloud;

/** A service of Berth, under its type in Keystone's catalogue. */
public enum Service {
    PLACEMENT("placement", 8778),
    SCHEDULER("scheduler", 8779);

    private final String type;
    private final int port;

    Service(String type, int port) {
        this.type = type;
        this.port = port;
    }

    /** In the catalogue, and the name of the option that says its URL. */
    String type() {
        return type;
    }

    /** Where it is on this machine, unless {@code deploy/berth} says (berth.placement.url) that it is elsewhere. */
    public String localUrl() {
        return System.getProperty("berth." + type + ".url", "http://127.0.0.1:" + port);
    }
}
