/** JSON over HTTP to one Placement service, and bounded work on many requests at once. Knows no resource of the API. */
package io.berth.deploy.migration.http;
