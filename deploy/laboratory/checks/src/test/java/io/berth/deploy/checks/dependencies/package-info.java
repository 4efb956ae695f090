/**
 * What is written down of the code, held against the classes: {@code docs/ARCHITECTURE.md} on what must not depend on
 * what.
 */
package io.berth.deploy.checks.dependencies;
