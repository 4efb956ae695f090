package io.berth.placement.provider;

import io.berth.placement.http.Call;
import io.berth.placement.http.Schema;
import io.berth.placement.query.MemberOfParameter;
import io.berth.placement.query.RequiredParameter;
import io.berth.placement.query.ResourcesParameter;
import java.util.List;
import java.util.Map;

/**
 * What {@code GET /resource_providers} is asked for. Null: that filter is absent.
 *
 * @param uuid in any form; only the canonical one matches anything
 * @param inTree likewise: the uuid of any member of the tree
 * @param resources amount, at least 1, by class name; one more allocation of each must fit
 */
record ProviderQuery(
        String name, String uuid, String inTree, MemberOfParameter memberOf, RequiredParameter required,
        Map<String, Long> resources) {
    private static final Schema QUERY_1_0 = Schema.load("resource-providers-1.0");
    private static final Schema QUERY_1_3 = Schema.load("resource-providers-1.3");
    private static final Schema QUERY_1_4 = Schema.load("resource-providers-1.4");
    private static final Schema QUERY_1_14 = Schema.load("resource-providers-1.14");
    private static final Schema QUERY_1_18 = Schema.load("resource-providers-1.18");

    /**
     * Refuses with 400 what the call's microversion does not allow. Of a repeated parameter the last counts, but for
     * two.
     */
    static ProviderQuery parse(Call call) {
        Map<String, List<String>> query = call.query();
        schema(call).checkQuery(query);
        List<String> memberOf = query.get("member_of");
        List<String> required = query.get("required");
        String resources = last(query, "resources");
        String name = last(query, "name");
        return new ProviderQuery(
                // As upstream: an empty name is no filter.
                "".equals(name) ? null : name,
                last(query, "uuid"),
                last(query, "in_tree"),
                memberOf == null ? null : MemberOfParameter.parse(memberOf, "", memberOfSyntax(call)),
                required == null ? null : RequiredParameter.parse(required, requiredSyntax(call)),
                resources == null ? null : ResourcesParameter.parse(resources));
    }

    private static String last(Map<String, List<String>> query, String parameter) {
        List<String> values = query.get(parameter);
        return values == null ? null : values.getLast();
    }

    private static Schema schema(Call call) {
        if (call.atLeast(18)) {
            return QUERY_1_18;
        }
        if (call.atLeast(14)) {
            return QUERY_1_14;
        }
        if (call.atLeast(4)) {
            return QUERY_1_4;
        }
        return call.atLeast(3) ? QUERY_1_3 : QUERY_1_0;
    }

    private static MemberOfParameter.Syntax memberOfSyntax(Call call) {
        if (call.atLeast(32)) {
            return MemberOfParameter.Syntax.WITH_FORBIDDEN;
        }
        return call.atLeast(24) ? MemberOfParameter.Syntax.REPEATED : MemberOfParameter.Syntax.SINGLE;
    }

    private static RequiredParameter.Syntax requiredSyntax(Call call) {
        if (call.atLeast(39)) {
            return RequiredParameter.Syntax.WITH_ANY_OF;
        }
        return call.atLeast(22) ? RequiredParameter.Syntax.WITH_FORBIDDEN : RequiredParameter.Syntax.PLAIN;
    }
}
