/**
 * Generates the pages of {@code docs/reference} from the code: from values at run time, from annotations, and from the
 * javadoc of the sources. {@link io.berth.deploy.checks.reference.ReferenceTest} compares them with the committed
 * pages, and can write them. If a text is missing on a page, add it to the javadoc of its class.
 */
package io.berth.deploy.checks.reference;
