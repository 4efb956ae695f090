/**
 * A MariaDB server for tests, from the machine's installed packages: {@link io.berth.deploy.mariadb.MariaDbForTests}.
 */
package io.berth.deploy.mariadb;
