/**
 * The measured situations, one class per kind of load: queries for candidates, claims, the life of a cloud, the reads
 * of compute nodes, decisions of the scheduler. Each situation judges every response, so that no figure counts wrong
 * responses. Situations that write also check the effects in the services.
 *
 * <p>Entry point: {@link io.berth.deploy.load.situation.Situations}, the list of all situations. This package depends
 * on {@code fleet}, {@code life} and {@code http}.
 */
package io.berth.deploy.load.situation;
