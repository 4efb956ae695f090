package io.berth.database.change;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.berth.database.change.ChangeStore.StoredChange;
import io.berth.json.JsonLists;
import io.berth.json.Timestamps;
import io.berth.model.OperatorChange;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;

/** Renders a page of changes. If another page follows, the page has a relative link to the next one. */
final class ChangeJson {
    private static final JsonFactory JSON = new JsonFactory();

    private ChangeJson() {}

    /**
     * Renders the page as JSON.
     *
     * @param changes the changes of the page, and one more if another page follows
     */
    static String render(List<StoredChange> changes, ChangeSearch search) {
        List<StoredChange> page = changes.subList(0, Math.min(search.limit(), changes.size()));
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
            json.writeStartObject();
            JsonLists.writeObjects(json, "changes", page, each -> write(json, each));
            if (changes.size() > page.size()) {
                JsonLists.writeObjects(json, "changes_links", List.of(search.nextPageQuery(page.getLast().id())),
                        href -> {
                            json.writeStringField("rel", "next");
                            json.writeStringField("href", href);
                        });
            }
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static void write(JsonGenerator json, StoredChange stored) throws IOException {
        OperatorChange change = stored.change();
        json.writeNumberField("id", stored.id());
        json.writeStringField("time", Timestamps.text(change.at()));
        json.writeStringField("what", change.what());
        writeTextOrNull(json, "user_id", change.user());
        writeTextOrNull(json, "project_id", change.project());
        writeTextOrNull(json, "request_id", change.requestId());
        writeTextOrNull(json, "old", change.oldValue());
        writeTextOrNull(json, "new", change.newValue());
    }

    /** Writes a member; null for an empty text. */
    private static void writeTextOrNull(JsonGenerator json, String name, String text) throws IOException {
        json.writeStringField(name, text.isEmpty() ? null : text);
    }
}
