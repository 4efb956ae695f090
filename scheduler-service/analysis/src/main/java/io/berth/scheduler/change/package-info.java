/**
 * Changes of a cloud that nobody makes, as a body asks for them: {@link io.berth.scheduler.change.ChangesBody} reads them,
 * {@link io.berth.scheduler.change.Changes} says what the cloud would be, and {@link io.berth.scheduler.change.Selector}
 * which hosts are meant. Must not know any one question.
 */
package io.berth.scheduler.change;
