package io.berth.scheduler.numa;

/**
 * The memory pages of one size in a host cell.
 *
 * @param sizeKb page size in KiB, at least 1
 * @param total number of pages
 * @param used pages given to instances; never charged below 0
 * @param reserved pages kept for the host
 */
public record PageInfo(int sizeKb, long total, long used, long reserved) {
    public PageInfo {
        if (sizeKb < 1) {
            throw new IllegalArgumentException("page size %d KiB is not at least 1".formatted(sizeKb));
        }
    }

    /** Returns the free pages; negative if a host reports more used and reserved pages than it has. */
    public long free() {
        return total - used - reserved;
    }

    public PageInfo withUsed(long pages) {
        return new PageInfo(sizeKb, total, pages, reserved);
    }
}
