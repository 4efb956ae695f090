package io.berth.deploy.checks.reference;

import java.util.List;
import java.util.stream.Stream;

/** Generates {@code errors.md}, which lists every error code of both services. */
final class ErrorsPage {
    private static final List<String> HEADS = List.of("code", "status", "cause", "remedy");

    private ErrorsPage() {}

    static Page of(Sources sources) {
        List<List<String>> scheduler = Stream.of(io.berth.scheduler.http.ErrorCode.values())
                .map(code -> row(sources, code, code.code(), String.valueOf(code.status())))
                .toList();
        List<List<String>> placement = Stream.of(io.berth.placement.http.ErrorCode.values())
                .map(code -> row(sources, code, code.wire(), null))
                .toList();
        return Page.of(
                "errors.md",
                "# Errors",
                """
                Every refusal has one body: `{"errors": [{"status", "request_id", "code", "title", "detail"}]}`. `detail` says in
                words what was wrong; `request_id` is the one in the log, and in the header `x-openstack-request-id`. A request
                that was refused with `Retry-After` may succeed after so many seconds; without it, the request fails again unless
                something changes.""",
                "## scheduler-service",
                "A `scheduler.no_valid_host` has an `explanation`, too.",
                Page.table(HEADS, scheduler),
                "## placement-service",
                "OpenStack's own codes, and Berth's, which begin with `berth.`. A body has a code from microversion"
                        + " 1.23 on.",
                Page.table(HEADS, placement));
    }

    private static List<String> row(Sources sources, Enum<?> code, String wire, String status) {
        Doc doc = sources.ofMember(code.getDeclaringClass().getName(), code.name());
        return List.of(
                Page.code(wire),
                status == null ? doc.parts().getOrDefault("Status", "").replaceFirst("\\.$", "") : status,
                doc.text(),
                Page.sentence(doc.parts().getOrDefault("Remedy", "")));
    }
}
