package io.berth.scheduler.nova.rabbit;

import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.util.List;

/** The queues that are declared, and read, at the beginning of each session. */
interface Queues {
    /** Returns the queues to read. Fails, and closes the channel, if RabbitMQ refuses. */
    List<String> declare(Channel channel) throws IOException;

    /** Returns queues that are consumed but ignored: they exist so that nova's services can send to them. */
    default List<String> unread() {
        return List.of();
    }
}
