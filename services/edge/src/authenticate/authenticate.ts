import { GatewayError, type Principal } from '@switchyard/contracts';
import { LRUCache } from 'lru-cache';

export interface AuthenticatorOptions {
  /** Asks auth-svc; `null` means unknown, revoked or expired. */
  lookUp(keyHash: string): Promise<Principal | null>;
  now?: () => number;
}

export interface Authenticator {
  /** Throws `invalid_api_key`, or `unavailable` when it cannot be known. */
  authenticate(keyHash: string): Principal | Promise<Principal>;
  /** The key was revoked: forget it now. */
  forget(keyHash: string): void;
}

const maxKeys = 10_000;
const knownMs = 30_000;
const unknownMs = 5_000;

interface Known {
  principal: Principal | null;
  freshUntil: number;
}

/** One look-up per key and half minute, however many requests carry it. */
export function createAuthenticator({ lookUp, now = () => performance.now() }: AuthenticatorOptions): Authenticator {
  const known = new LRUCache<string, Known>({ max: maxKeys });
  const running = new Map<string, Promise<Principal>>();

  function ask(keyHash: string): Promise<Principal> {
    const alreadyAsked = running.get(keyHash);
    if (alreadyAsked) return alreadyAsked;
    const asked = refresh(keyHash, () => running.get(keyHash) === asked);
    running.set(keyHash, asked);
    const done = (): void => {
      if (running.get(keyHash) === asked) running.delete(keyHash);
    };
    asked.then(done, done);
    return asked;
  }

  /** An answer that was on its way when the key was revoked is used once and not kept. */
  async function refresh(keyHash: string, isWanted: () => boolean): Promise<Principal> {
    const principal = await lookUp(keyHash).catch((error: unknown) => lastKnown(keyHash, error));
    if (isWanted()) known.set(keyHash, { principal, freshUntil: now() + (principal ? knownMs : unknownMs) });
    return admit(principal);
  }

  /** While nobody can say, those we know go on; a stranger is told that we cannot know, never that the key is wrong. */
  function lastKnown(keyHash: string, error: unknown): Principal {
    const principal = known.peek(keyHash)?.principal;
    if (!principal) throw error;
    return principal;
  }

  return {
    authenticate(keyHash) {
      const entry = known.get(keyHash);
      return entry && entry.freshUntil > now() ? admit(entry.principal) : ask(keyHash);
    },
    forget(keyHash) {
      known.delete(keyHash);
      running.delete(keyHash);
    },
  };
}

function admit(principal: Principal | null): Principal {
  if (principal) return principal;
  throw new GatewayError(
    'invalid_api_key',
    'This API key is unknown, revoked or expired. Check it, or create a new one.',
  );
}
