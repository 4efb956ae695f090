package io.berth.placement.provider;

import io.berth.placement.http.Call;
import io.berth.placement.http.Schema;
import io.berth.placement.query.MemberOfParameter;
import io.berth.placement.query.RequiredParameter;
import io.berth.placement.query.ResourcesParameter;
import java.util.List;
import java.util.Map;

/**
 * The filters of {@code GET /resource_providers}. Null: that filter is absent.
 *
 * @param uuid in any form; only the canonical one matches anything
 * @param inTree in any form: the uuid of any member of the tree
 * @param resources amount, at least 1, by class name; one more allocation of each must fit
 */
record ProviderQuery(
        String name, String uuid, String inTree, MemberOfParameter memberOf, RequiredParameter required,
        Map<String, Long> resources) {
    private static final Schema.Versions QUERY = Schema.loadSince("resource-providers", 0, 3, 4, 14, 18);

    /**
     * Refuses with 400 what the call's microversion does not allow. Of a repeated parameter the last counts, but for
     * two.
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
