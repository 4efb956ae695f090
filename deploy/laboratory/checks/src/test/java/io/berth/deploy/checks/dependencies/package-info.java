/** Does the code depend on what {@code docs/ARCHITECTURE.md} says it must not depend on? */
package io.berth.deploy.checks.dependencies;
