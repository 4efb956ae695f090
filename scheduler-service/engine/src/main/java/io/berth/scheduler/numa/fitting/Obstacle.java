package io.berth.scheduler.numa.fitting;

import io.berth.scheduler.numa.PageSize;
import java.util.Locale;

/**
 * Why something did not fit, as numbers; the text is made when somebody reads it.
 *
 * @param kind what was compared
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

        /** By which refusals of this kind are known: {@code numa_page_size}. */
        public String code() {
            return code;
        }
    }

    static Obstacle ofHost(Kind kind, double needed, double offered) {
        return new Obstacle(kind, WHOLE_HOST, needed, offered);
    }

    /** The part of what is needed that is missing, 0 to 1, whatever the unit. */
    public double shortfall() {
        if (kind == Kind.PAGE_MULTIPLE) {
            return needed % offered / needed;
        }
        return needed > 0 ? Math.clamp((needed - offered) / needed, 0, 1) : 1;
    }

    /** As {@link #render}: made only when a reason that holds it is read. */
    @Override
    public String toString() {
        return render();
    }

    /** For humans, for example {@code cell 1: needs 4 CPUs, offers 2}. */
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
