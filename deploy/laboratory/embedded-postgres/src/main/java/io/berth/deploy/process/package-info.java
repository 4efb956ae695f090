/** Packaged services as processes of their own, for tests that need the real thing. Never in a production artifact. */
package io.berth.deploy.process;
