package io.berth.placement.provider;

import io.berth.placement.http.Call;
import io.berth.placement.query.MemberOfParameter;
import io.berth.placement.query.RequiredParameter;
import io.berth.placement.query.ResourcesParameter;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Map;

/**
 * The filters of {@code GET /resource_providers}. A component is null if the filter is absent.
 *
 * @param uuid a uuid in any form; only a uuid in the canonical form matches a provider
 * @param inTree the uuid, in any form, of any provider of the tree; only a uuid in the canonical form matches a tree
 * @param resources amounts, each at least 1, by resource class; one more allocation of each amount must be possible
 */
record ProviderQuery(
        @Nullable String name, @Nullable String uuid, @Nullable String inTree, @Nullable MemberOfParameter memberOf,
        @Nullable RequiredParameter required, @Nullable Map<String, Long> resources) {
    /**
     * Parses query parameters that the schema allows. If a parameter is repeated, the last value counts, except for
     * {@code member_of} and {@code required}.
     *
     * @throws io.berth.placement.http.ApiException 400 for anything that the microversion does not allow
     */
    static ProviderQuery parse(Call call) {
        Map<String, List<String>> query = call.query();
        List<String> memberOf = query.get("member_of");
        List<String> required = query.get("required");
        String resources = call.lastValue("resources");
        String name = call.lastValue("name");
        return new ProviderQuery(
                // Like upstream, ignores an empty name.
                "".equals(name) ? null : name,
                call.lastValue("uuid"),
                call.lastValue("in_tree"),
                memberOf == null
                        ? null
                        : MemberOfParameter.parse(memberOf, "", MemberOfParameter.Syntax.at(call.version())),
                required == null
                        ? null
                        : RequiredParameter.parse(required, RequiredParameter.Syntax.at(call.version())),
                resources == null ? null : ResourcesParameter.parse(resources));
    }
}
