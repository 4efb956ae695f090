package io.berth.deploy.load.fleet;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The provider tree of one host. */
public enum Shape {
    /** One provider with all inventories. */
    FLAT,
    /** A root with the disk, two NUMA nodes with CPU and memory, a network device with virtual functions. */
    NESTED,
    /**
     * A root with the disk, and eight equal network devices: a request for one virtual function of each device has 8!
     * valid arrangements.
     */
    WIDE;

    public String lowerCase() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the shape with this {@link #lowerCase} name.
     *
     * @throws IllegalArgumentException if there is no such shape; the message is one line for the user
     */
    static Shape parse(String text) {
        return Arrays.stream(values())
                .filter(shape -> shape.lowerCase().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no such shape of a fleet: " + text + "; there are "
                        + Arrays.stream(values()).map(Shape::lowerCase).collect(Collectors.joining(", "))));
    }
}
