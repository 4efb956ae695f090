/** Do migrations leave the replicas of the version before alive? Source: decision 15. */
package io.berth.deploy.checks.migrations;
