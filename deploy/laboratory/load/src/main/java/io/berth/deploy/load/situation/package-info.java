/**
 * What is measured, one class per kind of work: questions for candidates, claims, the life of a cloud, compute
 * nodes' reads, decisions of the scheduler.
 *
 * <p>Start with {@link io.berth.deploy.load.situation.Situations}, which names them all. Every answer is judged:
 * a figure for wrong answers is worth nothing. Depends on {@code fleet}, {@code life} and {@code http}.
 */
package io.berth.deploy.load.situation;
