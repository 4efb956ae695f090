package io.berth.placement.candidate.response;

import io.berth.placement.candidate.response.ResponseForm.Summaries;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.Inventories;
import io.berth.placement.fleet.Inventory;
import io.berth.placement.fleet.Provider;
import io.berth.placement.http.Json;
import java.math.BigDecimal;

/**
 * Writes provider summaries. A summary that does not depend on the query is rendered once for each state of a provider,
 * and again after a resource class was renamed; it is cached in the {@link Provider}.
 */
final class ProviderSummaries {
    /** Capacities below this fit in a long; larger capacities are rendered with BigDecimal. */
    private static final double CAPACITY_AS_LONG_MAX = 9.2e18;

    private final FleetView view;
    private final Summaries form;
    private final int[] requestedClasses;

    /**
     * @param requestedClasses ids of the resource classes in the query, in any order; the forms that show all classes
     *         ignore them
     */
    ProviderSummaries(FleetView view, Summaries form, int[] requestedClasses) {
        this.view = view;
        this.form = form;
        this.requestedClasses = requestedClasses;
    }

    /** Writes the member {@code "uuid": {...}} of the object {@code provider_summaries}. */
    void write(Provider provider, JsonBytes out) {
        switch (form) {
            case REQUESTED_CLASSES -> {
                begin(provider, out);
                writeResources(provider, out);
                out.put('}');
            }
            case REQUESTED_CLASSES_AND_TRAITS -> {
                begin(provider, out);
                writeContent(provider, out);
                out.put('}');
            }
            case ALL_CLASSES -> out.put(cachedSummary(provider, Provider.Rendered.SUMMARY_WITH_ALL_CLASSES));
            case TREES -> out.put(cachedSummary(provider, Provider.Rendered.SUMMARY_WITH_RELATIVES));
        }
    }

    /**
     * Returns the cached summary, after rendering it if necessary.
     *
     * @param formIndex the form of the summary, a constant of {@link Provider.Rendered}
     */
    private byte[] cachedSummary(Provider provider, int formIndex) {
        int renames = view.resourceClasses().renames();
        byte[] cached = provider.rendered().get(formIndex, renames);
        if (cached != null) {
            return cached;
        }
        JsonBytes json = new JsonBytes();
        begin(provider, json);
        writeContent(provider, json);
        if (formIndex == Provider.Rendered.SUMMARY_WITH_RELATIVES) {
            writeRelatives(provider, json);
        }
        byte[] rendered = json.put('}').toByteArray();
        provider.rendered().set(formIndex, renames, rendered);
        return rendered;
    }

    private static void begin(Provider provider, JsonBytes out) {
        out.put(provider.uuid()).put(":{");
    }

    /** Writes the members {@code resources} and {@code traits}. */
    void writeContent(Provider provider, JsonBytes out) {
        writeResources(provider, out);
        writeTraits(provider, out);
    }

    private void writeResources(Provider provider, JsonBytes out) {
        out.beginElement().put("\"resources\":{");
        Inventories inventories = provider.inventories();
        for (int i = 0; i < inventories.size(); i++) {
            if (isShown(inventories.classIds()[i])) {
                out.beginElement().put(Json.quoted(view.resourceClasses().name(inventories.classIds()[i])));
                out.put(":{\"capacity\":").put(digits(Inventory.truncate(inventories.capacity(i))));
                out.put(",\"used\":").put(inventories.used()[i]).put('}');
            }
        }
        out.put('}');
    }

    private boolean isShown(int classId) {
        if (form == Summaries.ALL_CLASSES || form == Summaries.TREES) {
            return true;
        }
        for (int requested : requestedClasses) {
            if (requested == classId) {
                return true;
            }
        }
        return false;
    }

    private static String digits(double capacity) {
        return Math.abs(capacity) < CAPACITY_AS_LONG_MAX
                ? Long.toString((long) capacity)
                : new BigDecimal(capacity).toBigInteger().toString();
    }

    private void writeTraits(Provider provider, JsonBytes out) {
        out.put(",\"traits\":[");
        for (int i = 0; i < provider.traitIds().length; i++) {
            out.beginElement().put(Json.quoted(view.traits().name(provider.traitIds()[i])));
        }
        out.put(']');
    }

    private void writeRelatives(Provider provider, JsonBytes out) {
        out.put(",\"parent_provider_uuid\":");
        if (provider.isRoot()) {
            out.put("null");
        } else {
            out.put(view.get(provider.parentId()).uuid());
        }
        out.put(",\"root_provider_uuid\":").put(view.get(provider.rootId()).uuid());
    }
}
