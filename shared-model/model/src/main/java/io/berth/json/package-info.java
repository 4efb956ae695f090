/** Writers of lists, times and numbers for the JSON of both services. */
package io.berth.json;
