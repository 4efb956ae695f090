package io.berth.scheduler.spi;

import java.util.List;
import java.util.stream.Stream;

/**
 * A change that might let a filter accept a host. An explanation makes the change in a scenario, and reports it only if
 * the host is then admissible. A remedy that does not apply is ignored, for example the omission of a member that the
 * request does not have.
 */
public sealed interface Remedy {
    /** The request omits all these members. */
    record Omit(List<RequestMember> members) implements Remedy {
        public Omit {
            members = List.copyOf(members);
        }
    }

    /**
     * The request states another value.
     *
     * @param value the new value; a decimal integer if the present one is a number
     */
    record Replace(RequestMember member, String value) implements Remedy {}

    /** A change of the host's compute service. */
    enum OfService implements Remedy {
        /** A disabled service is enabled. */
        ENABLE,
        /** A service that is down, or forced down, comes up. */
        START
    }

    /** Each aggregate of the host that states the key in its metadata lists these values, too. */
    record AddToMetadata(String key, List<String> values) implements Remedy {
        public AddToMetadata {
            values = List.copyOf(values);
        }
    }

    /** Each aggregate of the host that states the key in its metadata states this value instead. */
    record SetMetadata(String key, String value) implements Remedy {}

    /**
     * Instances that together hold at least this amount of the resource class on the host's root provider leave the
     * host.
     *
     * @param amount at least 1, in the unit of placement
     */
    record Free(String resourceClass, long amount) implements Remedy {}

    /**
     * Instances leave the host.
     *
     * @param count how many, at least 1
     */
    record FreeInstances(long count) implements Remedy {}

    /** Returns one remedy for each member: the request omits only this member. */
    static List<Remedy> omitOneOf(RequestMember... members) {
        return Stream.of(members).<Remedy>map(member -> new Omit(List.of(member))).toList();
    }

    /**
     * Returns the remedy that the flavor has another amount; an empty list if the amount is less than 1.
     *
     * @param member name of the amount in the flavor, such as {@code vcpus}
     */
    static List<Remedy> flavorWith(String member, long amount) {
        return amount < 1
                ? List.of()
                : List.of(new Replace(RequestMember.ofFlavor(member), Long.toString(amount)));
    }
}
