import type { IncomingMessage } from 'node:http';
import type { Client } from '@switchyard/bus';
import type { authService, Caller, Principal } from '@switchyard/contracts';
import { createAuthenticator } from './authenticate/authenticate.ts';
import { keyHashOf, missingKey } from './authenticate/credentials.ts';

export interface Identifier {
  required(request: IncomingMessage): Principal | Promise<Principal>;
  /** `undefined` for a request without a key; a wrong key is refused here too. */
  optional(request: IncomingMessage): Principal | Promise<Principal> | undefined;
  /** Stops listening for revocations. */
  close(): void;
}

/** Who is calling, by the key the request carries. */
export function createIdentifier(auth: Client<(typeof authService)['operations']>): Identifier {
  const authenticator = createAuthenticator({
    lookUp: async (keyHash) => (await auth.authenticate({ keyHash })).caller,
  });
  const stopListening = auth.keyRevoked.subscribe(({ keyHash }) => authenticator.forget(keyHash));

  function optional(request: IncomingMessage): Principal | Promise<Principal> | undefined {
    const keyHash = keyHashOf(request.headers);
    if (keyHash === undefined) return undefined;
    const caller = authenticator.authenticate(keyHash);
    return caller instanceof Promise ? caller.then(principalOf) : caller.principal;
  }

  return {
    optional,
    required(request) {
      const principal = optional(request);
      if (!principal) throw missingKey();
      return principal;
    },
    close: stopListening,
  };
}

const principalOf = ({ principal }: Caller): Principal => principal;
