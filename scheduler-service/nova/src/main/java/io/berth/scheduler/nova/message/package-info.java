/**
 * The wire format of oslo.messaging: {@link io.berth.scheduler.nova.message.Envelope} parses messages,
 * {@link io.berth.scheduler.nova.message.Reply} renders replies. The other packages of {@code nova} use these classes,
 * which depend on no RPC method and on no broker.
 */
package io.berth.scheduler.nova.message;
