/**
 * Numbers, values, words of enums and uuids as operators and clients write them, read as upstream reads them;
 * {@link io.berth.scheduler.text.Derived}, what is made of them or why nothing is; and
 * {@link io.berth.scheduler.text.Beginning}, what is shown of long ones. Pure. Must not depend on any other
 * package of the scheduler.
 */
package io.berth.scheduler.text;
