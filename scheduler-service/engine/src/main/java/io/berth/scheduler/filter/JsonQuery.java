package io.berth.scheduler.filter;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.berth.scheduler.host.HostMembers;
import io.berth.scheduler.host.HostState;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntPredicate;

/**
 * Evaluates a condition, which is a nested JSON list, on one host. Each object evaluates one condition once.
 *
 * <p>Peculiarities of nova are kept. A condition that is empty, null, false or 0 holds. Arguments that are null or an
 * empty text are dropped. {@code not} returns a list with the negation of each argument; as an argument of another
 * operator, the list counts as true unless it is empty; as the whole condition, it holds if one of its elements is
 * true.
 */
final class JsonQuery {
    /** The result of the condition. */
    sealed interface Outcome {
        record Holds(boolean holds) implements Outcome {}

        record Failed(String detail) implements Outcome {}
    }

    private final HostState host;
    /**
     * A cache of the host's members by name, because a query may name a large member, such as the instances, many
     * times.
     */
    private final Map<String, Optional<JsonNode>> members = new HashMap<>();
    /** The first problem found; null if there is none. */
    private @Nullable String problem;

    JsonQuery(HostState host) {
        this.host = host;
    }

    Outcome evaluate(JsonNode query) {
        JsonNode result = evaluateNode(query);
        if (problem != null) {
            return new Outcome.Failed(problem);
        }
        return new Outcome.Holds(result.isArray() ? anyTrue(elements(result)) : JsonComparison.isTrue(result));
    }

    private JsonNode evaluateNode(JsonNode query) {
        if (!JsonComparison.isTrue(query)) {
            return BooleanNode.TRUE;
        }
        if (!query.isArray() || !query.get(0).isTextual()) {
            return fail("a query is a list that starts with an operator");
        }
        String operator = query.get(0).textValue();
        if (!List.of("=", "<", ">", "<=", ">=", "in", "not", "or", "and").contains(operator)) {
            return fail("unknown operator '%s'".formatted(operator));
        }
        List<JsonNode> arguments = arguments(query);
        return problem != null ? BooleanNode.FALSE : apply(operator, arguments);
    }

    private List<JsonNode> arguments(JsonNode query) {
        var arguments = new ArrayList<JsonNode>();
        for (int i = 1; i < query.size() && problem == null; i++) {
            JsonNode element = query.get(i);
            JsonNode argument = argument(element);
            if (argument != null && !argument.isNull()) {
                arguments.add(argument);
            }
        }
        return arguments;
    }

    private @Nullable JsonNode argument(JsonNode element) {
        if (element.isArray()) {
            return evaluateNode(element);
        }
        return element.isTextual() ? resolveVariable(element) : element;
    }

    private JsonNode apply(String operator, List<JsonNode> arguments) {
        return switch (operator) {
            case "=" -> BooleanNode.valueOf(arguments.size() > 1
                    && others(arguments).stream()
                            .allMatch(other -> JsonComparison.areEqual(arguments.getFirst(), other)));
            case "<" -> compareFirstWithOthers(arguments, order -> order < 0);
            case ">" -> compareFirstWithOthers(arguments, order -> order > 0);
            case "<=" -> compareFirstWithOthers(arguments, order -> order <= 0);
            case ">=" -> compareFirstWithOthers(arguments, order -> order >= 0);
            case "in" -> BooleanNode.valueOf(arguments.size() > 1
                    && others(arguments).stream()
                            .anyMatch(other -> JsonComparison.areEqual(arguments.getFirst(), other)));
            case "not" -> {
                var negated = JsonNodeFactory.instance.arrayNode();
                arguments.forEach(argument -> negated.add(!JsonComparison.isTrue(argument)));
                yield negated;
            }
            case "or" -> BooleanNode.valueOf(anyTrue(arguments));
            case "and" -> BooleanNode.valueOf(arguments.stream().allMatch(JsonComparison::isTrue));
            default -> throw new IllegalStateException(operator);
        };
    }

    /**
     * Returns whether the relation holds between the first argument and each other argument; false if there is no other
     * argument. Continues after a false result, because a later pair without an order is an error.
     */
    private JsonNode compareFirstWithOthers(List<JsonNode> arguments, IntPredicate relation) {
        if (arguments.size() < 2) {
            return BooleanNode.FALSE;
        }
        boolean holds = true;
        for (JsonNode other : others(arguments)) {
            switch (JsonComparison.compare(arguments.getFirst(), other)) {
                case JsonComparison.Order.Of(int order) -> holds &= relation.test(order);
                case JsonComparison.Order.NotANumber _ -> holds = false;
                case JsonComparison.Order.None _ -> {
                    return fail("%s and %s have no order".formatted(arguments.getFirst(), other));
                }
            }
        }
        return BooleanNode.valueOf(holds);
    }

    /**
     * Returns the value of a variable, such as {@code $service.up}; any other text unchanged. Null if the variable has
     * no value, or if the text is empty. Fails if the variable names a member of a value that has no members.
     */
    private @Nullable JsonNode resolveVariable(JsonNode element) {
        String text = element.textValue();
        if (text.isEmpty()) {
            return null;
        }
        if (!text.startsWith("$")) {
            return element;
        }
        String[] path = text.substring(1).split("\\.", -1);
        JsonNode node = members
                .computeIfAbsent(path[0], name -> Optional.ofNullable(HostMembers.find(host, name)))
                .orElse(null);
        for (int i = 1; i < path.length && node != null && !node.isNull(); i++) {
            if (!node.isObject()) {
                return fail("%s: %s has no members".formatted(text, path[i - 1]));
            }
            node = node.get(path[i]);
        }
        return node;
    }

    /**
     * Keeps the first problem, and returns a value with which the evaluation can go on; its result is then discarded.
     */
    private JsonNode fail(String detail) {
        problem = problem == null ? detail : problem;
        return BooleanNode.FALSE;
    }

    private static List<JsonNode> others(List<JsonNode> arguments) {
        return arguments.subList(1, arguments.size());
    }

    private static List<JsonNode> elements(JsonNode array) {
        var elements = new ArrayList<JsonNode>();
        array.forEach(elements::add);
        return elements;
    }

    private static boolean anyTrue(List<JsonNode> values) {
        return values.stream().anyMatch(JsonComparison::isTrue);
    }
}
