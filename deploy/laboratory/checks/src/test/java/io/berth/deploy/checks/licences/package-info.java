/**
 * Whether what the services are made of may be given away with them. Start with
 * {@link io.berth.deploy.checks.licences.LicencesIT}. Reads the bills of materials that the services' builds made.
 */
package io.berth.deploy.checks.licences;
