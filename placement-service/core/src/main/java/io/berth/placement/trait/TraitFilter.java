package io.berth.placement.trait;

import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.NameCatalogue;
import io.berth.placement.http.ApiException;
import io.berth.placement.http.Call;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The filters of {@code GET /traits}. A component is null if the filter is absent.
 *
 * @param names the names of the traits to list
 * @param prefix the beginning of the names of the traits to list
 * @param associated true for traits that at least one provider has; false for traits that no provider has
 */
record TraitFilter(@Nullable Set<String> names, @Nullable String prefix, @Nullable Boolean associated) {
    /**
     * Parses query parameters that the schema allows.
     *
     * @throws ApiException 400 for an invalid parameter
     */
    static TraitFilter parse(Call call) {
        Map<String, List<String>> query = call.query();
        Set<String> names = null;
        String prefix = null;
        if (query.containsKey("name")) {
            String name = query.get("name").getLast();
            int colon = name.indexOf(':');
            if (colon < 0) {
                throw ApiException.badRequest(
                        "Badly formatted name parameter. Expected name query string parameter in form: "
                                + "?name=[in|startswith]:[name1,name2|prefix]. Got: \"" + name + "\"");
            }
            String value = name.substring(colon + 1);
            // Like upstream, ignores the parameter if another word is before the colon.
            switch (name.substring(0, colon)) {
                case "in" -> names = Set.copyOf(List.of(value.split(",", -1)));
                case "startswith" -> prefix = value;
                default -> {}
            }
        }
        return new TraitFilter(
                names, prefix,
                query.containsKey("associated") ? parseBoolean(query.get("associated").getLast()) : null);
    }

    private static boolean parseBoolean(String text) {
        if (text.equalsIgnoreCase("true")) {
            return true;
        }
        if (text.equalsIgnoreCase("false")) {
            return false;
        }
        throw ApiException.badRequest("The query parameter \"associated\" only accepts \"true\" or \"false\"");
    }

    /** Returns the matching traits in the order of creation. */
    List<NameCatalogue.Entry> list(FleetView view) {
        return view.traits().list().stream().filter(trait -> matches(view, trait)).toList();
    }

    private boolean matches(FleetView view, NameCatalogue.Entry trait) {
        return (names == null || names.contains(trait.name()))
                && (prefix == null || trait.name().startsWith(prefix))
                && (associated == null || associated == view.slotsWithTrait(trait.id()).size() > 0);
    }
}
