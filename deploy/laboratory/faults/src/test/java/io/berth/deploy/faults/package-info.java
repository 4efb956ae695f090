/**
 * The real services, as processes, and the real PostgreSQL, broken on purpose. Each {@code *IT} is one fault; all
 * share {@link io.berth.deploy.faults.Cloud}. What must hold afterwards is asked of the tables in
 * {@link io.berth.deploy.faults.Books}. Run by {@code deploy/test/faults}.
 */
package io.berth.deploy.faults;
