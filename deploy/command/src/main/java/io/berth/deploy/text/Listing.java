package io.berth.deploy.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.model.text.Table;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;
import picocli.CommandLine.Option;

/**
 * The options {@code -f} (format) and {@code -c} (column) of commands that print records, as in the OpenStack client,
 * and the rendering of each format.
 */
public final class Listing {
    private static final ObjectMapper JSON = new ObjectMapper();

    private enum Format {
        TABLE, JSON, YAML, CSV, VALUE
    }

    @Option(names = {"--format", "-f"}, paramLabel = "table|json|yaml|csv|value", description = "output format (table)")
    private Format format = Format.TABLE;

    @Option(names = {"--column", "-c"}, paramLabel = "COLUMN", description = "print this column; repeatable")
    private List<String> columns = List.of();

    /**
     * Prints a list: one record on each line of a table, CSV or value; an array of objects as JSON or YAML.
     *
     * @param defaultColumns the columns of a table, CSV or value unless {@code -c} selects others. Those that no record
     *         has are left out, unless there are no records. JSON and YAML have all members by default
     * @throws IllegalArgumentException if {@code -c} names a column that none of the records has; the message is one
     *         line for the user
     */
    public void print(List<ObjectNode> records, List<String> defaultColumns, PrintWriter out) {
        Set<String> members = new LinkedHashSet<>();
        records.forEach(record -> record.fieldNames().forEachRemaining(members::add));
        if (isJsonOrYaml()) {
            List<String> shown = shownColumns(members, List.copyOf(members));
            printTree(records.stream().map(record -> selectMembers(shown, record)).toList(), out);
        } else {
            List<String> shown = shownColumns(
                    members, defaultColumns.stream().filter(each -> members.isEmpty() || members.contains(each))
                            .toList());
            printCells(shown, records.stream().map(record -> cells(shown, record)).toList(), out);
        }
    }

    /**
     * Prints one record: the name and value of one member on each line of a table or CSV, only the value with the
     * format value, or the object as JSON or YAML.
     *
     * @throws IllegalArgumentException if {@code -c} names a member that the record does not have; the message is one
     *         line for the user
     */
    public void print(ObjectNode record, PrintWriter out) {
        Set<String> members = new LinkedHashSet<>();
        record.fieldNames().forEachRemaining(members::add);
        List<String> shown = shownColumns(members, List.copyOf(members));
        if (isJsonOrYaml()) {
            printTree(selectMembers(shown, record), out);
        } else if (format == Format.VALUE) {
            cells(shown, record).forEach(out::println);
        } else {
            printCells(List.of("field", "value"),
                    shown.stream().map(name -> List.of(name, text(record.path(name)))).toList(), out);
        }
    }

    private boolean isJsonOrYaml() {
        return format == Format.JSON || format == Format.YAML;
    }

    /**
     * Returns the columns that {@code -c} selects; {@code defaultColumns} if it selects none.
     *
     * @param members the members of all records; if there are none, any column may be selected
     * @throws IllegalArgumentException if {@code -c} selects a column that is not in {@code members}
     */
    private List<String> shownColumns(Set<String> members, List<String> defaultColumns) {
        for (String column : columns) {
            if (!members.isEmpty() && !members.contains(column)) {
                throw new IllegalArgumentException("-c %s: must be one of %s"
                        .formatted(column, String.join(", ", members)));
            }
        }
        return columns.isEmpty() ? defaultColumns : columns;
    }

    private static ObjectNode selectMembers(List<String> names, ObjectNode record) {
        ObjectNode selected = JsonNodeFactory.instance.objectNode();
        names.stream().filter(record::has).forEach(name -> selected.set(name, record.get(name)));
        return selected;
    }

    private void printTree(Object tree, PrintWriter out) {
        JsonNode node = JSON.valueToTree(tree);
        if (format == Format.JSON) {
            out.println(node.toPrettyString());
            return;
        }
        var options = new DumperOptions();
        options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
        out.print(new Yaml(options).dump(JSON.convertValue(node, Object.class)));
    }

    private void printCells(List<String> headings, List<List<String>> rows, PrintWriter out) {
        switch (format) {
            case CSV -> {
                List<List<String>> lines = new ArrayList<>(List.of(headings));
                lines.addAll(rows);
                lines.forEach(line -> out.println(line.stream().map(Listing::quoted).collect(Collectors.joining(","))));
            }
            case VALUE -> rows.forEach(row -> out.println(String.join(" ", row)));
            default -> {
                var table = new Table(headings.toArray(String[]::new));
                rows.forEach(row -> table.row(row.toArray()));
                table.lines().forEach(out::println);
            }
        }
    }

    private static List<String> cells(List<String> columns, ObjectNode record) {
        return columns.stream().map(column -> text(record.path(column))).toList();
    }

    /**
     * Renders a value on one line: an array of scalars with commas, any other array or object as JSON, null or a
     * missing value as an empty text. Each run of white space, such as a line break, becomes one blank.
     */
    private static String text(JsonNode value) {
        String text = value.isNull() || value.isMissingNode() ? ""
                : value.isArray() && value.valueStream().allMatch(JsonNode::isValueNode)
                        ? value.valueStream().map(JsonNode::asText).collect(Collectors.joining(", "))
                        : value.isContainerNode() ? value.toString() : value.asText();
        return text.replaceAll("\\s+", " ");
    }

    /** Quotes a value as RFC 4180 specifies if it has a quote or comma; it has no line break. */
    private static String quoted(String cell) {
        return cell.matches(".*[\",].*") ? '"' + cell.replace("\"", "\"\"") + '"' : cell;
    }
}
