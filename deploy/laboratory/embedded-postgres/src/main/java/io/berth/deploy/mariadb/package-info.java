/** MariaDB for tests, from the machine's packages: {@link io.berth.deploy.mariadb.MariaDbForTests}. */
package io.berth.deploy.mariadb;
