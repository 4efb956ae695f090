package io.berth.deploy.ask;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A flavor as a user types it: {@code 4:8192:40}, or {@code m1.medium=4:8192:40}. */
record FlavorText(String name, int vcpus, int memoryMb, int diskGb) {
    private static final Pattern FORM = Pattern.compile("(?:([^=]+)=)?(\\d{1,9}):(\\d{1,9})(?::(\\d{1,9}))?");

    static final class Converter implements ITypeConverter<FlavorText> {
        @Override
        public FlavorText convert(String text) {
            try {
                return parse(text);
            } catch (IllegalArgumentException e) {
                // picocli adds the class name to the message of any other exception.
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    /** @throws IllegalArgumentException with one line for the user */
    static FlavorText parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException(
                    text + " is no flavor such as 4:8192:40 (vcpus, memory in MB, disk in GB)");
        }
        String disk = form.group(4);
        return new FlavorText(form.group(1) == null ? text : form.group(1), Integer.parseInt(form.group(2)),
                Integer.parseInt(form.group(3)), disk == null ? 0 : Integer.parseInt(disk));
    }

    void render(ObjectNode into) {
        into.put("name", name).put("vcpus", vcpus).put("memory_mb", memoryMb).put("root_gb", diskGb);
    }
}
