package io.berth.deploy.load.fleet;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.load.http.Exchange;
import io.berth.deploy.load.http.Outcome;
import io.berth.deploy.load.http.Traffic;
import io.vertx.core.http.HttpMethod;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes a fleet: hosts side by side, the providers of one after another, then its consumers, {@link #CONSUMERS_MAX}
 * of them in one POST.
 */
public final class FleetLoad implements Traffic {
    private static final int CONSUMERS_MAX = 50;

    private final Fleet fleet;
    private final Books books;
    private final ArrayDeque<Exchange> ready = new ArrayDeque<>();
    private final List<Integer> withoutConsumer = new ArrayList<>();
    private int started;
    private volatile int complete;

    /**
     * @param books told of what the consumers hold
     * @param from hosts below this number are there already, of a smaller fleet of the same shape
     */
    public FleetLoad(Fleet fleet, Books books, int from) {
        this.fleet = fleet;
        this.books = books;
        this.started = from;
        this.complete = from;
        for (int kind = 0; kind < Fleet.KINDS; kind++) {
            String path = "/traits/" + Fleet.kindTrait(kind);
            ready.add(new Exchange("trait", HttpMethod.PUT, path, null, true, answer ->
                    answer.status() == 201 || answer.status() == 204 ? Outcome.GOOD : answer.wrong("PUT " + path)));
        }
    }

    /** Hosts whose providers are complete; may be read by any thread. */
    public int complete() {
        return complete;
    }

    @Override
    public Exchange next() {
        Exchange next = ready.poll();
        if (next != null || started == fleet.size()) {
            return next;
        }
        int number = started++;
        return creation(number, fleet.host(number), 0).first();
    }

    private ProviderCreation creation(int number, List<ProviderSpec> host, int index) {
        return new ProviderCreation(host.get(index), ready::add, () -> {
            if (index + 1 < host.size()) {
                ready.add(creation(number, host, index + 1).first());
            } else {
                hostComplete(number);
            }
        });
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // written on the event loop alone
    private void hostComplete(int number) {
        complete++;
        withoutConsumer.add(number);
        if (withoutConsumer.size() == CONSUMERS_MAX || complete == fleet.size()) {
            ready.add(consumers(List.copyOf(withoutConsumer)));
            withoutConsumer.clear();
        }
    }

    private Exchange consumers(List<Integer> numbers) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        for (int number : numbers) {
            ObjectNode consumer = body.putObject(fleet.initialConsumer(number).toString());
            consumer.put("project_id", "bench-project-" + number % 50).put("user_id", "bench-user-" + number % 20);
            consumer.putNull("consumer_generation").put("consumer_type", "INSTANCE");
            ObjectNode allocations = consumer.putObject("allocations");
            fleet.initialUse(number).forEach((provider, amounts) -> {
                ObjectNode resources = allocations.putObject(provider.toString()).putObject("resources");
                amounts.forEach(resources::put);
            });
        }
        return Exchange.post("load", "/allocations", body.toString(), answer -> {
            if (answer.status() != 204) {
                return answer.wrong("POST /allocations of " + numbers.size() + " hosts");
            }
            numbers.forEach(number -> fleet.initialUse(number).forEach(books::take));
            return Outcome.GOOD;
        });
    }
}
