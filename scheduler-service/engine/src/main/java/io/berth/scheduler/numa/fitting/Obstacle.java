package io.berth.scheduler.numa.fitting;

import io.berth.scheduler.numa.PageSize;
import java.util.Locale;

/**
 * Explains in numbers why something did not fit; the text is rendered only when it is read.
 *
 * @param kind the quantity compared
 * @param cellId host cell where it happened, or -1 if it concerns the host
 * @param needed in the unit of the kind
 * @param offered in the unit of the kind; of {@link Kind#PAGE_MULTIPLE} the page's size
 */
public record Obstacle(Kind kind, int cellId, double needed, double offered) {
    static final int WHOLE_HOST = -1;
    private static final int KIB_PER_MIB = 1024;

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

        /** The code in refusals of this kind, such as {@code numa_page_size}. */
        public String code() {
            return code;
        }
    }

    static Obstacle ofHost(Kind kind, double needed, double offered) {
        return new Obstacle(kind, WHOLE_HOST, needed, offered);
    }

    /** Returns the missing fraction of what is needed, 0 to 1, whatever the unit. */
    public double shortfall() {
        if (kind == Kind.PAGE_MULTIPLE) {
            return needed % offered / needed;
        }
        return needed > 0 ? Math.clamp((needed - offered) / needed, 0, 1) : 1;
    }

    /** Returns {@link #render}, so that a reason that contains this renders it only when read. */
    @Override
    public String toString() {
        return render();
    }

    /** Returns text for people, for example {@code cell 1: needs 4 CPUs, offers 2}. */
    public String render() {
        String where = cellId == WHOLE_HOST ? "" : "cell " + cellId + ": ";
        if (kind == Kind.PAGE_SIZE && needed < 0 && needed >= PageSize.ANY) {
            return where + "needs pages of size " + PageSize.word((int) needed) + ", has none";
        }
        if (kind == Kind.PAGE_MULTIPLE) {
            return where + "%s MiB are not a multiple of its pages of %s KiB"
                    .formatted(plain(needed / KIB_PER_MIB), plain(offered));
        }
        return where + "needs " + plain(needed) + " " + kind.unit + ", offers " + plain(offered);
    }

    private static String plain(double number) {
        return number == Math.rint(number) ? Long.toString((long) number) : String.format(Locale.ROOT, "%.2f", number);
    }
}
