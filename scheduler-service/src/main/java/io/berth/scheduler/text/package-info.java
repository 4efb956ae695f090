/** Numbers, values and uuids as operators and clients write them, read as upstream reads them. Pure. */
package io.berth.scheduler.text;
