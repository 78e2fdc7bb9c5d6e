import type { IncomingMessage } from 'node:http';
import type { Client } from '@tallyport/bus';
import { type authService, type Caller, GatewayError, oncePer } from '@tallyport/contracts';
import { addressRanges } from './authenticate/address-ranges.ts';
import { createAuthenticator } from './authenticate/authenticate.ts';
import type { ClientAddress } from './authenticate/client-address.ts';
import { createKeyHashes } from './authenticate/credentials.ts';
import { unmaskToken } from '@tallyport/pages';
import type { ClientSecrets } from './authenticate/client-secrets.ts';
import type { UnknownKeyGuard } from './authenticate/unknown-key-guard.ts';

export interface Identifier {
  /**
   * Identifies the caller by the key or token of the request, at once if it is known; `undefined` if there is none.
   * Throws or rejects for an invalid one, and for a valid one that may not be used from the client's address.
   */
  caller(request: IncomingMessage): Caller | undefined | Promise<Caller>;
  /** The hash of the key of a request that was identified by it. */
  keyHash(request: IncomingMessage): string | undefined;
  /**
   * Identifies the person of a browser's session, with their playground key. Throws if the request was not made by a page
   * of ours in this session.
   */
  sessionCaller(sent: SessionRequest): Promise<Caller>;
  /** Stops listening for revocations. */
  close(): void;
}

export interface SessionRequest {
  request: IncomingMessage;
  /** The account to act in. */
  account: string | undefined;
  /** The token of the form, as the page contains it. */
  maskedToken: string | undefined;
}

interface IdentifierOptions {
  auth: Client<(typeof authService)['operations']>;
  addressOf: ClientAddress;
  guard: UnknownKeyGuard;
  publicUrl(request: IncomingMessage): URL;
  secrets: Pick<ClientSecrets, 'open'>;
}

const lookUpMs = 5_000;

export function createIdentifier({ auth, addressOf, guard, publicUrl, secrets }: IdentifierOptions): Identifier {
  const authenticator = createAuthenticator({
    async lookUp(keyHash) {
      const found = await auth.authenticate({ keyHash }, { timeoutMs: lookUpMs }).catch(rethrowAsAway);
      return found.caller;
    },
    guard,
  });
  const keyHashOf = createKeyHashes(secrets);
  const isAllowedFrom = createAddressCheck();
  const stops = [
    auth.keyRevoked.subscribe(({ keyHash }) => authenticator.forget(keyHash), authenticator.markAllStale),
    auth.accountChanged.subscribe(({ accountId }) => authenticator.forgetAccount(accountId)),
  ];

  function checked(caller: Caller, request: IncomingMessage): Caller {
    if (caller.allowedAddresses === undefined) return caller;
    const address = addressOf(request);
    if (isAllowedFrom(caller.allowedAddresses, address)) return caller;
    throw new GatewayError(
      'permission_denied',
      `This API key may not be used from ${address || 'an unknown address'}. Use an allowed address, or change the key's list.`,
    );
  }

  return {
    keyHash: keyHashOf,
    caller(request) {
      const keyHash = keyHashOf(request);
      if (keyHash === undefined) return undefined;
      const found = authenticator.authenticate(keyHash, () => addressOf(request));
      return found instanceof Promise ? found.then((caller) => checked(caller, request)) : checked(found, request);
    },
    async sessionCaller({ request, account, maskedToken = '' }) {
      const { cookie = '', origin, 'sec-fetch-site': site } = request.headers;
      const form = {
        origin,
        secFetchSite: typeof site === 'string' ? site : undefined,
        csrfToken: unmaskToken(maskedToken),
      };
      const session = { cookie, account, publicOrigin: publicUrl(request).origin, form };
      const { caller } = await auth.sessionCaller(session, { timeoutMs: lookUpMs }).catch(rethrowAsAway);
      return checked(caller, request);
    },
    close: () => stops.forEach((stop) => stop()),
  };
}

/** The look-up has its own deadline, apart from the request's: an auth-svc that hangs counts as unavailable. */
function rethrowAsAway(cause: unknown): never {
  if (!(cause instanceof GatewayError && cause.code === 'deadline_exceeded')) throw cause;
  const message = 'Your key or session cannot be checked, because auth-svc does not respond. Try again shortly.';
  throw new GatewayError('unavailable', message, { cause, retryAfterMs: 1000 });
}

/** Parses the ranges once and caches them for as long as the caller is cached. */
function createAddressCheck(): (allowed: readonly string[], address: string) => boolean {
  const rangesOf = oncePer(addressRanges);
  return (allowed, address) => rangesOf(allowed).has(address);
}
