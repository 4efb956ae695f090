/** What both services are asked alike about what Quarkus makes of them. */
package io.berth.deploy.quarkus;
