package io.berth.scheduler.numa;

/**
 * The memory pages of one size in a host cell.
 *
 * @param sizeKb page size in KiB, at least 1
 * @param total number of pages
 * @param used number of pages of instances
 * @param reserved number of pages that are reserved for the host
 */
public record PageInfo(int sizeKb, long total, long used, long reserved) {
    public PageInfo {
        if (sizeKb < 1) {
            throw new IllegalArgumentException("page size %d KiB is not at least 1".formatted(sizeKb));
        }
    }

    /** Returns the number of free pages; negative if the host reports more used and reserved pages than it has. */
    public long free() {
        return total - used - reserved;
    }

    public PageInfo withUsed(long pages) {
        return new PageInfo(sizeKb, total, pages, reserved);
    }
}
