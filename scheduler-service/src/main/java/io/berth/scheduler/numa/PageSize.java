package io.berth.scheduler.numa;

/** Codes that stand in {@code pageSize} for a size that the host decides; positive numbers are KiB. */
public final class PageSize {
    /** The smallest size of the host cell. */
    public static final int SMALL = -1;
    /** Any but the smallest size. */
    public static final int LARGE = -2;
    /** Any size, the largest that fits. */
    public static final int ANY = -3;

    private PageSize() {}
}
