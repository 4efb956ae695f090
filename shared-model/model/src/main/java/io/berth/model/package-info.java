/**
 * What both services must agree on: microversions and names. Depends on the JDK alone; holds no business rule, no HTTP
 * and no SQL.
 */
package io.berth.model;
