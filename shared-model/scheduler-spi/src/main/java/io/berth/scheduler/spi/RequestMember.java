package io.berth.scheduler.spi;

import java.util.List;

/**
 * The place of a value in a request spec.
 *
 * @param path names of the members from the request spec to the value, at least one
 */
public record RequestMember(List<String> path) {
    public RequestMember {
        path = List.copyOf(path);
    }

    /** Returns a member of the request spec itself, such as {@code availability_zone}. */
    public static RequestMember of(String name) {
        return new RequestMember(List.of(name));
    }

    /** Returns a member of the flavor, such as {@code vcpus}. */
    public static RequestMember ofFlavor(String name) {
        return new RequestMember(List.of("flavor", name));
    }

    public static RequestMember extraSpec(String name) {
        return new RequestMember(List.of("flavor", "extra_specs", name));
    }

    public static RequestMember imageProperty(String name) {
        return new RequestMember(List.of("image", "properties", name));
    }

    public static RequestMember hint(String name) {
        return new RequestMember(List.of("scheduler_hints", name));
    }

    /** Returns the name of the member. */
    public String name() {
        return path.getLast();
    }

    /** Returns the path as a JSON pointer (RFC 6901), such as {@code /flavor/vcpus}. */
    public String pointer() {
        StringBuilder pointer = new StringBuilder();
        path.forEach(each -> pointer.append('/').append(each.replace("~", "~0").replace("/", "~1")));
        return pointer.toString();
    }
}
