package io.berth.identity.policy;

import java.io.StringReader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * Parses a policy file: a YAML mapping of rule names to rules. A rule is a text, or, in oslo.policy's old form, a list
 * of lists of checks. JSON of the same shape is YAML, too. The parser only builds a tree of YAML nodes, so that the
 * file cannot create Java objects. Source: oslo.policy {@code policy.py} (parse_file_contents), {@code _parser.py}.
 */
final class PolicyFile {
    private static final Pattern ZERO = Pattern.compile("[-+]?0[0._]*");
    private static final Set<String> FALSE = Set.of("false", "no", "off");

    private PolicyFile() {}

    /**
     * Returns the rules by name, in the file's order; an empty map if the file is empty or contains only a false value.
     * Throws {@link PolicyFault}, with the line of the fault if it is known, for a file on which oslo.policy would
     * fail.
     *
     * @param faults receives a rule that is stated twice, and an empty rule
     */
    static Map<String, RuleDefinition> parse(String text, PolicyFaults faults) {
        Node root = root(text);
        Map<String, RuleDefinition> rules = new LinkedHashMap<>();
        if (root == null || isFalse(root)) {
            return rules;
        }
        if (!(root instanceof MappingNode mapping)) {
            throw new PolicyFault(0, linePrefix(root) + "a policy file maps rule names to rules");
        }
        for (NodeTuple entry : mapping.getValue()) {
            if (!(entry.getKeyNode() instanceof ScalarNode key)) {
                throw new PolicyFault(0,
                        linePrefix(entry.getKeyNode()) + "a rule's name must be text, not a list or a mapping");
            }
            String name = key.getValue();
            if (rules.put(name, rule(name, entry.getValueNode(), faults)) != null) {
                faults.report(new PolicyFault(0, linePrefix(key) + "rule " + name + " is stated twice"),
                        "the last counts");
            }
        }
        return rules;
    }

    /** Returns the root node of the file; null if the file is empty. */
    private static Node root(String text) {
        try {
            LoaderOptions options = new LoaderOptions();
            return new Composer(
                    new ParserImpl(new StreamReader(new StringReader(text)), options), new Resolver(), options)
                    .getSingleNode();
        } catch (MarkedYAMLException e) {
            var mark = e.getProblemMark();
            String position =
                    mark == null ? "" : "line %d, column %d: ".formatted(mark.getLine() + 1, mark.getColumn() + 1);
            throw new PolicyFault(0, position + "not YAML: " + e.getProblem());
        } catch (YAMLException e) {
            throw new PolicyFault(0, "not YAML: " + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        }
    }

    private static RuleDefinition rule(String name, Node node, PolicyFaults faults) {
        if (node instanceof ScalarNode scalar) {
            if (isText(scalar)) {
                return new RuleDefinition.Text(scalar.getValue());
            }
            if (isFalse(scalar)) {
                faults.report(
                        new PolicyFault(0, linePrefix(node) + "rule " + name
                                + " is empty: \"@\" allows every caller, \"!\" none; both need the quotes"),
                        "it allows every caller");
                return new RuleDefinition.Text("@");
            }
            throw notText(name, node);
        }
        return new RuleDefinition.AnyOf(items(node).map(item -> checks(name, item)).toList());
    }

    /**
     * Returns the checks of an inner list. As in oslo.policy, an inner list may also be a single text, or a false value
     * for no checks. A check that is a list or a mapping becomes the text {@code []}, which is no valid check.
     */
    private static List<String> checks(String name, Node item) {
        if (isFalse(item)) {
            return List.of();
        }
        if (item instanceof ScalarNode scalar) {
            if (!isText(scalar)) {
                throw notText(name, item);
            }
            return List.of(scalar.getValue());
        }
        return items(item).map(check -> check instanceof ScalarNode scalar ? scalar.getValue() : "[]").toList();
    }

    /** Returns the items of a list or, as Python iterates, the keys of a mapping. */
    private static Stream<Node> items(Node node) {
        return node instanceof SequenceNode list
                ? list.getValue().stream()
                : ((MappingNode) node).getValue().stream().map(NodeTuple::getKeyNode);
    }

    private static boolean isText(ScalarNode node) {
        return !Set.of(Tag.NULL, Tag.BOOL, Tag.INT, Tag.FLOAT, Tag.TIMESTAMP).contains(node.getTag());
    }

    /**
     * Returns whether Python treats the value of a node as false: empty text, null, false, a zero, an empty list or
     * mapping.
     */
    private static boolean isFalse(Node node) {
        if (!(node instanceof ScalarNode scalar)) {
            return items(node).findFirst().isEmpty();
        }
        String value = scalar.getValue();
        return value.isEmpty() || !isText(scalar)
                && (scalar.getTag().equals(Tag.NULL) || FALSE.contains(value.toLowerCase(Locale.ROOT))
                        || ZERO.matcher(value).matches());
    }

    private static PolicyFault notText(String name, Node node) {
        return new PolicyFault(0, linePrefix(node) + "rule " + name + " must be text or a list of lists of texts");
    }

    private static String linePrefix(Node node) {
        return "line " + (node.getStartMark().getLine() + 1) + ": ";
    }
}
