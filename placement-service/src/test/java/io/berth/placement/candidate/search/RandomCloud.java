package io.berth.placement.candidate.search;

import io.berth.placement.candidate.search.FleetBuilder.Stock;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.StringJoiner;

/**
 * Small random fleets, and random queries that often have candidates. The same seed gives the same fleets and queries.
 */
public final class RandomCloud {
    static final String[] CLASSES = {"VCPU", "MEMORY_MB", "DISK_GB", "CUSTOM_FPGA"};
    static final String[] TRAITS = {"CUSTOM_A", "CUSTOM_B", "CUSTOM_C", "CUSTOM_D"};
    static final String[] AGGREGATES = {"agg1", "agg2", "agg3"};

    private final Random random;

    public RandomCloud(long seed) {
        this.random = new Random(seed);
    }

    public FleetBuilder fleet(boolean mayNest, boolean mayShare) {
        return fleet(1 + random.nextInt(4), mayNest, mayShare);
    }

    FleetBuilder fleet(int roots, boolean mayNest, boolean mayShare) {
        var fleet = FleetBuilder.aFleet().knowingClasses(CLASSES).knowingTraits(TRAITS);
        for (int root = 0; root < roots; root++) {
            fleet.root("cn" + root);
            describe(fleet, mayShare && random.nextInt(6) == 0);
            List<String> names = new ArrayList<>(List.of("cn" + root));
            int children = mayNest ? random.nextInt(4) : 0;
            for (int child = 0; child < children; child++) {
                String name = "cn" + root + "_" + child;
                fleet.under(names.get(random.nextInt(names.size()))).child(name);
                describe(fleet, mayShare && random.nextInt(12) == 0);
                names.add(name);
            }
        }
        int sharing = mayShare ? random.nextInt(3) : 0;
        for (int i = 0; i < sharing; i++) {
            fleet.root("ss" + i);
            describe(fleet, true);
        }
        return fleet;
    }

    private void describe(FleetBuilder fleet, boolean sharing) {
        for (String resourceClass : CLASSES) {
            if (random.nextInt(4) < 3) {
                int total = 2 + random.nextInt(8);
                int reserved = random.nextInt(4) == 0 ? random.nextInt(total) : 0;
                int maxUnit = random.nextInt(4) == 0 ? 1 + random.nextInt(4) : 100;
                int minUnit = random.nextInt(6) == 0 ? Math.min(maxUnit, 2) : 1;
                int step = random.nextInt(6) == 0 ? 2 : 1;
                double ratio = switch (random.nextInt(4)) {
                    case 0 -> 1.5;
                    case 1 -> 2.25;
                    default -> 1.0;
                };
                // One consumer uses it, so that the same fleet can be written through the API.
                long used = random.nextInt(3) == 0 ? Math.ceilDiv(minUnit, step) * (long) step : 0;
                boolean isPossible = used <= Math.min(maxUnit, (total - reserved) * ratio);
                fleet.inventory(
                        resourceClass,
                        new Stock(total, reserved, minUnit, maxUnit, step, ratio, isPossible ? used : 0));
            }
        }
        for (String trait : TRAITS) {
            if (random.nextInt(3) == 0) {
                fleet.traits(trait);
            }
        }
        for (String aggregate : AGGREGATES) {
            if (random.nextInt(3) == 0) {
                fleet.in(aggregate);
            }
        }
        if (sharing) {
            fleet.sharing();
        }
    }

    /** Returns a query for this minor version, 10 to 39. */
    public String query(int minor, FleetBuilder fleet) {
        StringJoiner query = new StringJoiner("&");
        boolean unsuffixed = minor < 25 || random.nextInt(4) > 0;
        if (unsuffixed) {
            query.add("resources=" + resources());
            addConditions(query, "", minor, fleet);
        }
        List<String> suffixes = new ArrayList<>();
        int granular = minor < 25 ? 0 : random.nextInt(4);
        if (!unsuffixed && granular == 0) {
            granular = 1;
        }
        for (int i = 1; i <= granular; i++) {
            String suffix = minor >= 33 && random.nextBoolean() ? "_G-" + i : "" + i;
            suffixes.add(suffix);
            query.add("resources" + suffix + "=" + resources());
            addConditions(query, suffix, minor, fleet);
        }
        if (minor >= 36 && random.nextInt(3) == 0) {
            String suffix = "_LESS";
            suffixes.add(suffix);
            query.add("required" + suffix + "=" + (random.nextInt(6) == 0 ? "!" : "") + pick(TRAITS));
            if (random.nextInt(4) == 0) {
                query.add("in_tree" + suffix + "=" + someProvider(fleet));
            }
            if (random.nextInt(4) == 0) {
                query.add("member_of" + suffix + "=" + FleetBuilder.uuidOf(pick(AGGREGATES)));
            }
            query.add("same_subtree=" + String.join(",", random.nextBoolean() ? suffixes : List.of(suffix)));
        } else if (minor >= 36 && suffixes.size() > 1 && random.nextInt(3) == 0) {
            query.add("same_subtree=" + String.join(",", suffixes));
        }
        if (suffixes.size() > 1) {
            query.add("group_policy=" + (random.nextInt(3) > 0 ? "none" : "isolate"));
        }
        if (minor >= 35 && random.nextInt(5) == 0) {
            query.add("root_required=" + (random.nextBoolean() ? "!" : "") + pick(TRAITS));
        }
        return query.toString();
    }

    /** Returns a query for Berth's own routes; a third of them name a class that no provider of the tree may have. */
    public String ownQuery(FleetBuilder fleet) {
        String query = query(39, fleet);
        return random.nextInt(3) == 0 ? query + "&without_inventory=" + pick(CLASSES) : query;
    }

    private void addConditions(StringJoiner query, String suffix, int minor, FleetBuilder fleet) {
        if (minor >= 17 && random.nextInt(4) == 0) {
            String wanted = pick(TRAITS);
            String other = pick(TRAITS);
            query.add("required" + suffix + "=" + switch (random.nextInt(3)) {
                case 0 -> wanted;
                case 1 -> minor >= 39 ? "in:" + wanted + "," + other : wanted;
                default -> minor >= 22 ? "!" + wanted : wanted;
            });
            if (minor >= 39 && random.nextInt(3) == 0) {
                String third = pick(TRAITS);
                if (!third.equals(wanted)) {
                    query.add("required" + suffix + "=" + third);
                }
            }
        }
        if (minor >= 21 && random.nextInt(4) == 0) {
            String first = FleetBuilder.uuidOf(pick(AGGREGATES)).toString();
            String second = FleetBuilder.uuidOf(pick(AGGREGATES)).toString();
            query.add("member_of" + suffix + "=" + switch (random.nextInt(4)) {
                case 0 -> "in:" + first + "," + second;
                case 1 -> minor >= 32 ? "!" + first : first;
                case 2 -> minor >= 32 ? "!in:" + first + "," + second : first;
                default -> first;
            });
            if (minor >= 24 && random.nextInt(4) == 0) {
                query.add("member_of" + suffix + "=" + FleetBuilder.uuidOf(pick(AGGREGATES)));
            }
        }
        if (minor >= 31 && random.nextInt(8) == 0) {
            query.add("in_tree" + suffix + "=" + someProvider(fleet));
        }
    }

    private String someProvider(FleetBuilder fleet) {
        return fleet.providers().get(random.nextInt(fleet.providers().size())).uuid().toString();
    }

    private String resources() {
        StringJoiner resources = new StringJoiner(",");
        int count = 1 + random.nextInt(3);
        int first = random.nextInt(CLASSES.length);
        for (int i = 0; i < count; i++) {
            resources.add(
                    CLASSES[(first + i) % CLASSES.length] + ":" + (random.nextInt(4) > 0 ? 1 : 1 + random.nextInt(4)));
        }
        return resources.toString();
    }

    private String pick(String[] names) {
        return names[random.nextInt(names.length)];
    }
}
