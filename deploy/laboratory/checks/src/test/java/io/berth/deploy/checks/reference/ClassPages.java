package io.berth.deploy.checks.reference;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import io.berth.deploy.checks.dependencies.Compiled;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.prefilter.RequestPrefilters;
import io.berth.scheduler.spi.HostFilter;
import io.berth.scheduler.spi.HostWeigher;
import io.berth.scheduler.spi.RequestPrefilter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Generates {@code filters.md}, {@code weighers.md} and {@code prefilters.md}, with a section for each class. */
final class ClassPages {
    private static final Pattern CODE = Pattern.compile("`(?:\\[\\w+] )?([\\w.-]+)`");
    private static final Pattern UPSTREAM = Pattern.compile("nova `([\\w/.]+)`");

    private final Sources sources;
    private final Map<String, String> optionGroups;

    private ClassPages(Sources sources) {
        this.sources = sources;
        this.optionGroups = NovaOption.all(sources).stream()
                .collect(Collectors.toMap(NovaOption::name, NovaOption::group, (first, _) -> first));
    }

    static Page filters(Sources sources) {
        List<String> enabled = Options.DEFAULTS.filterScheduler().enabledFilters();
        return new ClassPages(sources).page(
                "filters.md", "Filters",
                """
                A filter decides for each host whether an instance may go there. The filters that
                `[filter_scheduler] enabled_filters` names run in its order; an unknown name stops the start. Most filters run for
                each instance of a request; this page marks those that run once per request. On rebuild in place only the filters
                run that this page marks.""",
                shipped(HostFilter.class, "filter"),
                filter -> "by default: " + (enabled.contains(filter.name()) ? "**enabled**" : "not enabled")
                        + (filter.runsOncePerRequest() ? "; once per request" : "")
                        + (filter.runsOnRebuild() ? "; on rebuild too" : ""));
    }

    static Page weighers(Sources sources) {
        return new ClassPages(sources).page(
                "weighers.md", "Weighers",
                """
                A weigher gives each remaining host a number. Berth scales the numbers of all hosts to 0 to 1 (all equal: 0), multiplies
                them by a multiplier, and adds them up; the host with the highest sum wins. A single host is not weighed. By default
                (`[filter_scheduler] weight_classes`) all run, in the order of their names; nova's order is arbitrary. Metadata
                of a host's aggregates under the given key overrides the multiplier; of several values the smallest counts.""",
                shipped(HostWeigher.class, "weigher"),
                weigher -> {
                    double multiplier = weigher.configuredMultiplier(Options.DEFAULTS);
                    return "multiplier by default: **" + number(multiplier) + "**"
                            + (multiplier == 0 ? ", which is off" : "")
                            + "; key in aggregates: `" + weigher.aggregateKey() + "`"
                            + (weigher.minimum() == Double.NEGATIVE_INFINITY
                                    ? ""
                                    : "; a lower value than " + number(weigher.minimum()) + " counts as that");
                });
    }

    static Page prefilters(Sources sources) {
        List<RequestPrefilter> inOrder = new ArrayList<>();
        var _ = new RequestPrefilters(List.of()).wrapEach(prefilter -> {
            inOrder.add(prefilter);
            return prefilter;
        });
        Map<String, Boolean> switches = NovaOption.all(sources).stream()
                .filter(option -> option.type().equals("boolean"))
                .collect(Collectors.toMap(NovaOption::name, option -> option.byDefault().equals("true")));
        switches.put("berth.scheduler.require-owner-nova", false);
        ClassPages pages = new ClassPages(sources);
        return pages.page(
                "prefilters.md", "Prefilters",
                """
                A prefilter changes a request before the query to placement: it adds traits that hosts must have, or aggregates that they
                must be in. All run in nova's order, which is that of this page. A prefilter acts if the request needs it
                and its option is on.""",
                inOrder,
                prefilter -> {
                    Matcher option = CODE.matcher(pages.doc(prefilter).parts().getOrDefault("Option", ""));
                    boolean off = option.find() && !switches.getOrDefault(option.group(1), true);
                    return "by default: " + (off ? "off" : "**on**") + "; named `" + prefilter.name() + "`";
                });
    }

    private <T> Page page(String file, String title, String introduction,
            Collection<T> all, Function<T, String> facts) {
        List<String> paragraphs = new ArrayList<>(List.of("# " + title, introduction));
        for (T each : all) {
            Doc doc = doc(each);
            paragraphs.add("## " + each.getClass().getSimpleName());
            paragraphs.add(linked(doc.text()));
            List<String> items = new ArrayList<>(List.of("- " + facts.apply(each)));
            if (doc.parts().containsKey("Option")) {
                items.add("- options: " + linked(doc.parts().get("Option")));
            }
            if (doc.parts().containsKey("Cost")) {
                items.add("- cost: " + doc.parts().get("Cost"));
            }
            items.add("- differs from nova: " + doc.parts().getOrDefault("Differs from nova", "in nothing known."));
            Matcher upstream = UPSTREAM.matcher(doc.parts().getOrDefault("Source", ""));
            if (upstream.find()) {
                items.add("- in nova: `nova/" + upstream.group(1) + "`"
                        + (doc.parts().get("Source").contains("last release")
                                ? " of the last release that had it"
                                : ""));
            }
            paragraphs.add(String.join("\n", items));
        }
        return Page.of(file, paragraphs.toArray(String[]::new));
    }

    /** Turns names of options and of classes of the same page into links. */
    private String linked(String text) {
        return CODE.matcher(text).replaceAll(code -> {
            String name = code.group(1);
            String target =
                    optionGroups.containsKey(name) ? "options.md#" + optionGroups.get(name).toLowerCase(Locale.ROOT)
                            : name.startsWith("berth.scheduler.") ? "options.md#keys-of-scheduler-service"
                                    : name.endsWith("Filter") ? "#" + name.toLowerCase(Locale.ROOT) : null;
            return Matcher.quoteReplacement(target == null ? code.group() : "[" + code.group() + "](" + target + ")");
        });
    }

    private Doc doc(Object of) {
        return sources.ofClass(of.getClass().getName());
    }

    private static String number(double value) {
        return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
    }

    /** Returns the shipped classes in the order of their names. */
    private static <T> Collection<T> shipped(Class<T> kind, String packageName) {
        Map<String, T> found = new TreeMap<>();
        for (JavaClass each : Compiled.CLASSES) {
            if (each.isAssignableTo(kind.getName()) && each.isTopLevelClass()
                    && !each.getModifiers().contains(JavaModifier.ABSTRACT)
                    && each.getPackageName().matches("io.berth.scheduler.(legacy.)?" + packageName)) {
                found.put(each.getSimpleName(), create(kind, each.getName()));
            }
        }
        return found.values();
    }

    private static <T> T create(Class<T> kind, String name) {
        try {
            return kind.cast(Class.forName(name).getDeclaredConstructor().newInstance());
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
