/**
 * Tests of the real services and the real PostgreSQL, as processes, under faults. Each {@code *IT} tests one fault; all
 * share {@link io.berth.deploy.faults.Cloud}. {@link io.berth.deploy.faults.Books} compares the tables with the
 * responses afterwards. {@code deploy/test/faults} runs them.
 */
package io.berth.deploy.faults;
