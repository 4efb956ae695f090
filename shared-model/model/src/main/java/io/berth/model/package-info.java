/**
 * Values that both services use: microversions, names of standard traits and resource classes, database URLs, and the
 * record of an operator's change; also a reader of certificate files, and a map helper. Depends only on the JDK.
 * Contains no business rule, no HTTP and no SQL.
 */
package io.berth.model;
