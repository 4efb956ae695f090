/** Numbers and values as operators write them in flavors, metadata and options, read as upstream reads them. Pure. */
package io.berth.scheduler.text;
