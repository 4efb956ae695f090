/** Tests of both packaged services together, through the public APIs that orchestration and administrators use. */
package io.berth.scheduler.endtoend;
