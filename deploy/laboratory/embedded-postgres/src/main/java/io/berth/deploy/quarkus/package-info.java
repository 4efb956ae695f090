/** Checks for both services of what Quarkus generates from them. */
package io.berth.deploy.quarkus;
