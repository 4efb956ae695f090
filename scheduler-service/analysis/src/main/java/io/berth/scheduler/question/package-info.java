/**
 * What operators' questions stand on. {@link io.berth.scheduler.question.Questions} runs them, few at a time and with an end,
 * on a {@link io.berth.scheduler.question.Snapshot}: registry, options and placement's fleet, or all of them as a {@link
 * io.berth.scheduler.question.Hypothesis} has them. Nothing here claims or writes. Must not know routes or any one
 * question.
 */
package io.berth.scheduler.question;
