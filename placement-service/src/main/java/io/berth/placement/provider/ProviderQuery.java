package io.berth.placement.provider;

import io.berth.placement.http.Call;
import io.berth.placement.http.Schema;
import io.berth.placement.query.MemberOfParameter;
import io.berth.placement.query.RequiredParameter;
import io.berth.placement.query.ResourcesParameter;
import java.util.List;
import java.util.Map;

/**
 * The filters of {@code GET /resource_providers}; null for an absent filter.
 *
 * @param uuid in any form; only a canonical uuid matches anything
 * @param inTree uuid, in any form, of any provider of the tree; only a canonical uuid matches anything
 * @param resources amounts, at least 1, by class name; one more allocation of each amount must fit
 */
record ProviderQuery(
        String name, String uuid, String inTree, MemberOfParameter memberOf, RequiredParameter required,
        Map<String, Long> resources) {
    private static final Schema.Versions QUERY = Schema.loadSince("resource-providers", 0, 3, 4, 14, 18);

    /**
     * Parses the call's query; refuses with 400 what its microversion does not allow. If a parameter is repeated, the
     * last value counts, except for {@code member_of} and {@code required}.
     */
    static ProviderQuery parse(Call call) {
        Map<String, List<String>> query = call.query();
        QUERY.at(call.version()).checkQuery(query);
        List<String> memberOf = query.get("member_of");
        List<String> required = query.get("required");
        String resources = call.last("resources");
        String name = call.last("name");
        return new ProviderQuery(
                // An empty name is ignored, as upstream.
                "".equals(name) ? null : name,
                call.last("uuid"),
                call.last("in_tree"),
                memberOf == null ? null : MemberOfParameter.parse(memberOf, "", MemberOfParameter.Syntax.at(call.version())),
                required == null ? null : RequiredParameter.parse(required, RequiredParameter.Syntax.at(call.version())),
                resources == null ? null : ResourcesParameter.parse(resources));
    }
}
