/**
 * Values that both services share: microversions and names. Depends only on the JDK; has no business rule, no HTTP and
 * no SQL.
 */
package io.berth.model;
