package io.berth.scheduler.nova.rabbit;

import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.util.List;

/** Declares the queues whose messages a {@link Session} consumes. Each session declares them when it opens. */
interface Queues {
    /**
     * Declares the queues, and returns the names of the queues to consume. If RabbitMQ refuses a declaration, throws
     * IOException, and the channel is closed.
     */
    List<String> declare(Channel channel) throws IOException;

    /**
     * Returns the names of queues whose messages are consumed and discarded. These queues exist only so that nova's
     * services can send to their exchange.
     */
    default List<String> discarded() {
        return List.of();
    }
}
