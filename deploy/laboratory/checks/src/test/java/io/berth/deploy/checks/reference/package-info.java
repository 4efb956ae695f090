/**
 * The pages of {@code docs/reference}, written from the code: from what the classes say at run time, from their
 * annotations, and from the javadoc of their sources. {@link io.berth.deploy.checks.reference.ReferenceTest} compares
 * them with those that are committed, and writes them again when asked to. A text that is missing on a page is missing
 * in the javadoc of the class it is about.
 */
package io.berth.deploy.checks.reference;
