package io.berth.scheduler.nova.rabbit;

import com.rabbitmq.client.Channel;
import java.io.IOException;
import java.util.List;

/** What is declared, and read, at the beginning of each session. */
interface Queues {
    /** The queues to read. Fails, and the channel is over, where RabbitMQ refuses. */
    List<String> declare(Channel channel) throws IOException;

    /** Those of which nothing is used: they are there for what is behind them. */
    default List<String> unread() {
        return List.of();
    }
}
