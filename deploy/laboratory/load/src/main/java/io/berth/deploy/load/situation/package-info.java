/**
 * The measured situations, one class per kind of work: queries for candidates, claims, the life of a cloud, compute
 * nodes' reads, decisions of the scheduler.
 *
 * <p>Start with {@link io.berth.deploy.load.situation.Situations}, which lists them all. Every response is judged: a
 * figure for wrong responses is worth nothing. Depends on {@code fleet}, {@code life} and {@code http}.
 */
package io.berth.deploy.load.situation;
