/**
 * Compares documents with the classes: the rules of {@code docs/ARCHITECTURE.md} about dependencies between packages.
 */
package io.berth.deploy.checks.dependencies;
