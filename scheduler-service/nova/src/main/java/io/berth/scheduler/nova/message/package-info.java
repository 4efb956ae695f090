/**
 * Messages of oslo.messaging as text and as values: {@link io.berth.scheduler.nova.message.Envelope} reads them,
 * {@link io.berth.scheduler.nova.message.Reply} writes them. Depends on no method and no broker.
 */
package io.berth.scheduler.nova.message;
