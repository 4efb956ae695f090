package io.berth.placement.explain;

import io.berth.model.text.NearNames;
import io.berth.placement.candidate.query.CandidateQueryParser;
import io.berth.placement.http.ApiException;
import io.berth.placement.http.Schema;
import io.berth.placement.query.UuidText;
import jakarta.annotation.Nullable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The query parameters of an explanation, separated from the parameters of the query to explain.
 *
 * @param query the parameters of the query to explain: those of {@code GET /allocation_candidates} and {@link
 *         CandidateQueryParser#WITHOUT_INVENTORY}; not validated yet
 * @param providers uuids of the providers to explain, at most {@value #PROVIDERS_MAX}; not checked for existence
 * @param providersLimit the most trees to explain if {@code providers} is empty, 0 to {@value #PROVIDERS_MAX}; the
 *         default is 0
 * @param relaxations limit of relaxations (sets of demands to drop for more candidates) in the response, 0 to 5; the
 *         default is 5
 * @param timeout the time from the start of the request after which the explanation ends incomplete, 1 to 60 seconds;
 *         the default is 10
 * @param mayNameProviders whether the response may name providers; false with {@code detail=tenant}, which is for cloud
 *     users
 */
record ExplanationParameters(
        Map<String, List<String>> query, List<UUID> providers, int providersLimit, int relaxations, Duration timeout,
        boolean mayNameProviders) {
    static final int PROVIDERS_MAX = 1_000;
    /** The most trees to explain for which {@link #isBrief} is true. */
    private static final int BRIEF_PROVIDERS_MAX = 100;
    /**
     * The known parameters, which are suggested for a misspelt name. Parameters of suffixed groups are not listed.
     */
    private static final List<String> KNOWN_NAMES = List.of(
            "provider", "providers_limit", "relaxations", "timeout_s", "detail", "limit", "group_policy",
            "root_required", "same_subtree", "resources", "required", "member_of", "in_tree",
            CandidateQueryParser.WITHOUT_INVENTORY);
    /** Matches the start of the name of a request group's parameter; the rest of the name is the group's suffix. */
    private static final Pattern GROUP_PARAMETER = Pattern.compile("resources|required|member_of|in_tree");
    private static final int RELAXATIONS_MAX = 5;
    private static final int TIMEOUT_SECONDS_DEFAULT = 10;
    private static final int TIMEOUT_SECONDS_MAX = 60;

    /**
     * Parses the parameters of the explanation, and separates them from those of the query.
     *
     * @throws ApiException 400 for an invalid value of a parameter of the explanation, for a parameter that is likely
     *         misspelt, and for {@code detail=tenant} with parameters that name or list providers
     */
    static ExplanationParameters parse(Map<String, List<String>> parameters) {
        var query = new LinkedHashMap<>(parameters);
        query.keySet().forEach(ExplanationParameters::refuseMisspelt);
        List<UUID> providers = new ArrayList<>();
        List<String> providerTexts = query.remove("provider");
        if (providerTexts != null) {
            if (providerTexts.size() > PROVIDERS_MAX) {
                throw ApiException.badRequest("Invalid query string parameters: more than " + PROVIDERS_MAX
                        + " of provider; name fewer in a request");
            }
            for (String text : providerTexts) {
                if (!Schema.isUuidLike(text)) {
                    throw ApiException.badRequest(
                            "Invalid query string parameters: Expected 'provider' parameter to be a format of uuid."
                                    + " Got: "
                                    + text);
                }
                providers.add(UuidText.parseLenient(text));
            }
        }
        int providersLimit = number(query, "providers_limit", 0, PROVIDERS_MAX, 0);
        int relaxations = number(query, "relaxations", 0, RELAXATIONS_MAX, RELAXATIONS_MAX);
        int seconds = number(query, "timeout_s", 1, TIMEOUT_SECONDS_MAX, TIMEOUT_SECONDS_DEFAULT);
        boolean namesProviders = !isForTenant(query.remove("detail"));
        if (!namesProviders && (!providers.isEmpty() || providersLimit > 0)) {
            throw ApiException.badRequest("Invalid query string parameters: detail=tenant names no providers;"
                    + " omit provider and providers_limit");
        }
        return new ExplanationParameters(
                query, providers, providersLimit, relaxations, Duration.ofSeconds(seconds), namesProviders);
    }

    /**
     * Refuses an unknown parameter whose name is similar to a known name. The parser of the query to explain refuses
     * all other unknown parameters.
     */
    private static void refuseMisspelt(String name) {
        if (!KNOWN_NAMES.contains(name) && !GROUP_PARAMETER.matcher(name).lookingAt()) {
            NearNames.of(name, KNOWN_NAMES).stream().findFirst().ifPresent(suggestion -> {
                throw ApiException.badRequest(
                        "Invalid query string parameters: unknown parameter '" + name + "'; did you mean '" + suggestion
                                + "'?");
            });
        }
    }

    /**
     * Returns whether the explanation has only counts and the obstacles of a few trees, and so costs about as much as
     * one search.
     */
    boolean isBrief() {
        return providers.isEmpty() && providersLimit <= BRIEF_PROVIDERS_MAX && relaxations == 0;
    }

    private static boolean isForTenant(@Nullable List<String> detail) {
        if (detail == null) {
            return false;
        }
        if (!detail.getLast().equals("tenant")) {
            throw ApiException.badRequest("Invalid query string parameters: detail must be tenant or omitted");
        }
        return true;
    }

    /**
     * Removes the parameter from the query and returns its value, or {@code defaultValue} if it is absent. Of a
     * repeated parameter, the last value counts.
     */
    private static int number(Map<String, List<String>> query, String name, int min, int max, int defaultValue) {
        List<String> values = query.remove(name);
        if (values == null) {
            return defaultValue;
        }
        String text = values.getLast();
        if (!text.matches("[0-9]{1,6}") || Integer.parseInt(text) < min || Integer.parseInt(text) > max) {
            throw ApiException.badRequest(
                    "Invalid query string parameters: '%s' of %s is not a number from %d to %d"
                            .formatted(text, name, min, max));
        }
        return Integer.parseInt(text);
    }
}
