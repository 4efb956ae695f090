package io.berth.scheduler.numa.fitting;

import io.berth.scheduler.numa.PageSize;
import java.util.Locale;

/**
 * The reason why a cell or a topology does not fit, as a quantity and two amounts of it. The text is only rendered if a
 * response or log needs it.
 *
 * @param kind the compared quantity, with its unit
 * @param cellId id of the host cell, or -1 if the reason concerns the whole host
 * @param needed the needed amount, in the unit of the kind; for {@link Kind#PAGE_SIZE}, the requested size or a
 *         negative code of {@link PageSize}
 * @param offered the offered amount, in the unit of the kind; 0 for {@link Kind#PAGE_SIZE}; for {@link
 *         Kind#PAGE_MULTIPLE}, the page size
 */
public record FittingObstacle(Kind kind, int cellId, double needed, double offered) {
    static final int WHOLE_HOST = -1;
    private static final int KIB_PER_MIB = 1024;

    /** The compared quantities, with the unit that the text names. */
    public enum Kind {
        CELLS("NUMA cells"),
        PAGE_SIZE("KiB per page"),
        PAGES("KiB in pages"),
        PAGE_MULTIPLE("KiB"),
        MEMORY("MiB"),
        CPUS("CPUs"),
        CORES("CPUs that the thread policy allows"),
        CPU_LIMIT("CPUs within the allocation ratio"),
        RAM_LIMIT("MiB within the allocation ratio"),
        PCI("PCI requests satisfied near the cells"),
        NETWORK("networks near the cells"),
        ATTEMPTS("assignments of cells tried");

        private final String unit;
        private final String code = "numa_" + name().toLowerCase(Locale.ROOT);

        Kind(String unit) {
            this.unit = unit;
        }

        /** Returns the reason code of this kind, such as {@code numa_page_size}. */
        public String code() {
            return code;
        }
    }

    static FittingObstacle ofHost(Kind kind, double needed, double offered) {
        return new FittingObstacle(kind, WHOLE_HOST, needed, offered);
    }

    /**
     * Returns the missing fraction of the needed amount, 0 to 1. For {@link Kind#PAGE_MULTIPLE}, this is the fraction
     * that the last, incomplete page would hold; for a page size that is a negative code, it is 1.
     */
    public double shortfall() {
        if (kind == Kind.PAGE_MULTIPLE) {
            return needed % offered / needed;
        }
        return needed > 0 ? Math.clamp((needed - offered) / needed, 0, 1) : 1;
    }

    /**
     * Returns {@link #render}. A rejection has this object as a value, and so renders the text only when the rejection
     * is displayed.
     */
    @Override
    public String toString() {
        return render();
    }

    /** Returns the text for people, such as {@code cell 1: needs 4 CPUs, offers 2}. */
    public String render() {
        String prefix = cellId == WHOLE_HOST ? "" : "cell " + cellId + ": ";
        if (kind == Kind.PAGE_SIZE && needed < 0 && needed >= PageSize.ANY) {
            return prefix + "needs pages of size " + PageSize.word((int) needed) + ", has none";
        }
        if (kind == Kind.PAGE_MULTIPLE) {
            return prefix + "%s MiB are not a multiple of its pages of %s KiB"
                    .formatted(plain(needed / KIB_PER_MIB), plain(offered));
        }
        return prefix + "needs " + plain(needed) + " " + kind.unit + ", offers " + plain(offered);
    }

    private static String plain(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : String.format(Locale.ROOT, "%.2f", number);
    }
}
