/**
 * The wire format of oslo.messaging: {@link io.berth.scheduler.nova.message.Envelope} parses messages,
 * {@link io.berth.scheduler.nova.message.Reply} renders replies. Knows no RPC method and no broker; the other packages
 * of {@code nova} use its values.
 */
package io.berth.scheduler.nova.message;
