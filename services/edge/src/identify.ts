import type { IncomingMessage } from 'node:http';
import type { Client } from '@switchyard/bus';
import { type authService, type Caller, GatewayError } from '@switchyard/contracts';
import { type AddressRanges, addressRanges } from './authenticate/address-ranges.ts';
import { createAuthenticator } from './authenticate/authenticate.ts';
import type { ClientAddress } from './authenticate/client-address.ts';
import { keyHashOf } from './authenticate/credentials.ts';
import type { StrangerGuard } from './authenticate/stranger-guard.ts';

export interface Identifier {
  /**
   * Who calls, by the key or token the request carries; `undefined` when it carries none. Throws for wrong ones, and for
   * right ones that may not be used from where the request comes.
   */
  caller(request: IncomingMessage): Promise<Caller | undefined>;
  /** Stops listening for revocations. */
  close(): void;
}

export interface IdentifierOptions {
  auth: Client<(typeof authService)['operations']>;
  addressOf: ClientAddress;
  guard: StrangerGuard;
}

const lookUpMs = 5_000;

export function createIdentifier({ auth, addressOf, guard }: IdentifierOptions): Identifier {
  const authenticator = createAuthenticator({
    lookUp: async (keyHash) => (await auth.authenticate({ keyHash }, { timeoutMs: lookUpMs })).caller,
    guard,
  });
  const isAllowedFrom = createAddressCheck();
  const stops = [
    auth.keyRevoked.subscribe(({ keyHash }) => authenticator.forget(keyHash), authenticator.doubt),
    auth.accountChanged.subscribe(({ accountId }) => authenticator.forgetAccount(accountId)),
  ];

  function checked(caller: Caller, request: IncomingMessage): Caller {
    if (caller.allowedAddresses === undefined) return caller;
    const address = addressOf(request);
    if (isAllowedFrom(caller.allowedAddresses, address)) return caller;
    throw new GatewayError(
      'permission_denied',
      `This API key may not be used from ${address || 'an unknown address'}. Use one of its allowed addresses, or change them.`,
    );
  }

  return {
    async caller(request) {
      const keyHash = keyHashOf(request.headers);
      if (keyHash === undefined) return undefined;
      return checked(await authenticator.authenticate(keyHash, () => addressOf(request)), request);
    },
    close: () => stops.forEach((stop) => stop()),
  };
}

/** Ranges are read once, for as long as the caller they belong to is remembered. */
function createAddressCheck(): (allowed: readonly string[], address: string) => boolean {
  const read = new WeakMap<readonly string[], AddressRanges>();
  return (allowed, address) => {
    const ranges = read.get(allowed) ?? addressRanges(allowed);
    read.set(allowed, ranges);
    return ranges.has(address);
  };
}
