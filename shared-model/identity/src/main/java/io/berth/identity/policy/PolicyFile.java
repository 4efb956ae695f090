package io.berth.identity.policy;

import java.io.StringReader;
import java.util.LinkedHashMap;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * The text of a policy file: a YAML mapping of rule names to rules, both text. JSON of the same shape is YAML too. Only
 * the tree of nodes is read; nothing in the file can make an object.
 */
final class PolicyFile {
    private PolicyFile() {}

    /** Rules by name in the file's order; none for an empty file. Throws {@link RuleInvalid} naming the line. */
    static Map<String, String> parse(String text) {
        Node root;
        try {
            LoaderOptions options = new LoaderOptions();
            root = new Composer(
                    new ParserImpl(new StreamReader(new StringReader(text)), options), new Resolver(), options)
                    .getSingleNode();
        } catch (MarkedYAMLException e) {
            var mark = e.getProblemMark();
            String where =
                    mark == null ? "" : "line %d, column %d: ".formatted(mark.getLine() + 1, mark.getColumn() + 1);
            throw new RuleInvalid(0, where + "not YAML: " + e.getProblem());
        } catch (YAMLException e) {
            throw new RuleInvalid(0, "not YAML: " + e.getMessage().lines().findFirst().orElse(""));
        }
        Map<String, String> rules = new LinkedHashMap<>();
        if (root == null || (root instanceof ScalarNode empty && empty.getValue().isEmpty())) {
            return rules;
        }
        if (!(root instanceof MappingNode mapping)) {
            throw new RuleInvalid(0, line(root) + "a policy file maps rule names to rules");
        }
        for (NodeTuple entry : mapping.getValue()) {
            String name = scalar(entry.getKeyNode(), "a rule's name");
            String rule = scalar(entry.getValueNode(), "rule " + name);
            if (rule.isEmpty() && ((ScalarNode) entry.getValueNode()).isPlain()) {
                throw new RuleInvalid(0, line(entry.getValueNode()) + "rule " + name
                        + " is empty: \"@\" allows everybody, \"!\" nobody; both need the quotes");
            }
            if (rules.put(name, rule) != null) {
                throw new RuleInvalid(0, line(entry.getKeyNode()) + "rule " + name + " is stated twice");
            }
        }
        return rules;
    }

    private static String scalar(Node node, String what) {
        if (node instanceof ScalarNode scalar) {
            return scalar.getValue();
        }
        throw new RuleInvalid(0, line(node) + what + " must be text, not a list or a mapping");
    }

    private static String line(Node node) {
        return "line " + (node.getStartMark().getLine() + 1) + ": ";
    }
}
