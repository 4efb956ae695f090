/** Both packaged services together, through their public APIs alone, as orchestration and administrators use them. */
package io.berth.scheduler.endtoend;
