/**
 * What is written down of the code, held against the classes: {@code docs/ARCHITECTURE.md} on what must not depend on
 * what, and the list of the keys of configuration.
 */
package io.berth.deploy.checks.dependencies;
