/**
 * What both services must agree on: microversions, names and the records on the wire. Depends on the JDK and
 * Jackson's annotations alone; holds no business rule, no HTTP and no SQL.
 */
package io.berth.model;
