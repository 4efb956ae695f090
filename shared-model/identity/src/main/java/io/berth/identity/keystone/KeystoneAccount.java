package io.berth.identity.keystone;

import io.berth.identity.IdentityConfig;
import java.util.Optional;

/**
 * A login for Keystone: this service's own account, or the account of an operator who signs in to the console with a
 * password.
 */
public sealed interface KeystoneAccount {
    record Password(String user, String userDomain, String password, String project, String projectDomain)
            implements KeystoneAccount {
        @Override
        public String toString() {
            return "user " + user;
        }
    }

    record ApplicationCredential(String id, String secret) implements KeystoneAccount {
        @Override
        public String toString() {
            return "application credential " + id;
        }
    }

    /**
     * Returns the service's own account: the application credential if its id is configured, otherwise the user. Empty
     * if the secret or the password is missing, or both the id and the user name.
     */
    static Optional<KeystoneAccount> of(IdentityConfig.Keystone config) {
        if (config.applicationCredentialId().isPresent()) {
            return config.applicationCredentialSecret()
                    .map(secret -> new ApplicationCredential(config.applicationCredentialId().get(), secret));
        }
        return config.username().flatMap(user -> config.password().map(password -> new Password(
                user, config.userDomainName(), password, config.projectName(), config.projectDomainName())));
    }
}
