package io.berth.scheduler.nova.rabbit;

import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.util.List;

/** Declares the queues of a session and names those to consume. {@link Session} calls it each time it opens. */
interface Queues {
    /**
     * Declares the queues and returns the names of those to consume. If RabbitMQ refuses, throws IOException and the
     * channel is closed.
     */
    List<String> declare(Channel channel) throws IOException;

    /**
     * Returns the names of queues whose messages are consumed and discarded. They exist only so that nova's services
     * can send to their exchange.
     */
    default List<String> unread() {
        return List.of();
    }
}
