/** Reading JSON bodies strictly, with the path of what is wrong. Knows no record of any feature. */
package io.berth.scheduler.json;
