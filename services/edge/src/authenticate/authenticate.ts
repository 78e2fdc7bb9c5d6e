import { GatewayError, type Caller } from '@switchyard/contracts';
import { LRUCache } from 'lru-cache';

export interface AuthenticatorOptions {
  /** Asks auth-svc; `null` means unknown, revoked or expired. */
  lookUp(keyHash: string): Promise<Caller | null>;
  now?: () => number;
}

export interface Authenticator {
  /** Throws `invalid_api_key`, or `unavailable` when it cannot be known. */
  authenticate(keyHash: string): Caller | Promise<Caller>;
  /** The key was revoked: forget it now. */
  forget(keyHash: string): void;
}

const maxKeys = 10_000;
const knownMs = 30_000;
const unknownMs = 5_000;

interface Known {
  caller: Caller | null;
  freshUntil: number;
}

/** One look-up per key and half minute, however many requests carry it. */
export function createAuthenticator({ lookUp, now = () => performance.now() }: AuthenticatorOptions): Authenticator {
  const known = new LRUCache<string, Known>({ max: maxKeys });
  const running = new Map<string, Promise<Caller>>();

  function ask(keyHash: string): Promise<Caller> {
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
  async function refresh(keyHash: string, isWanted: () => boolean): Promise<Caller> {
    const caller = await lookUp(keyHash).catch((error: unknown) => lastKnown(keyHash, error));
    if (isWanted()) known.set(keyHash, { caller, freshUntil: now() + (caller ? knownMs : unknownMs) });
    return admit(caller);
  }

  /** While nobody can say, those we know go on; a stranger is told that we cannot know, never that the key is wrong. */
  function lastKnown(keyHash: string, error: unknown): Caller {
    const caller = known.peek(keyHash)?.caller;
    if (!caller) throw error;
    return caller;
  }

  return {
    authenticate(keyHash) {
      const entry = known.get(keyHash);
      return entry && entry.freshUntil > now() ? admit(entry.caller) : ask(keyHash);
    },
    forget(keyHash) {
      known.delete(keyHash);
      running.delete(keyHash);
    },
  };
}

function admit(caller: Caller | null): Caller {
  if (caller) return caller;
  throw new GatewayError(
    'invalid_api_key',
    'This API key is unknown, revoked or expired. Check it, or create a new one.',
  );
}
