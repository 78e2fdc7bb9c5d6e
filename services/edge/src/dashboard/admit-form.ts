import type { IncomingMessage } from 'node:http';
import { GatewayError, type RequestKind } from '@tallyport/contracts';
import type { Leave } from '@tallyport/limits';
import type { Door } from '../door.ts';

/** Counts a form against the limits of the person who sends it. The returned function must be called when it has ended. */
export type AdmitForm = (request: IncomingMessage, body: Uint8Array) => Promise<Leave | undefined>;

/**
 * Admits forms whose answer costs money, as if a module of the page had sent a request. Without a session they are
 * forwarded: the page says how to sign in without losing what was typed.
 */
export const admitForm =
  ({ sessionCaller, admit }: Pick<Door, 'sessionCaller' | 'admit'>, kind: RequestKind): AdmitForm =>
  async (request, body) => {
    if (request.method !== 'POST') return undefined;
    const maskedToken = new URLSearchParams(Buffer.from(body).toString()).get('csrf_token') ?? undefined;
    const caller = await sessionCaller({ request, account: accountOf(request), maskedToken }).catch(orSignIn);
    return caller && admit({ request, addHeaders: () => {} }, kind, caller);
  };

/** The account in `/dashboard/<account>/playground`. */
const accountOf = ({ url = '' }: IncomingMessage): string | undefined => url.split(/[/?]/)[2];

function orSignIn(error: unknown): undefined {
  if (error instanceof GatewayError && error.code === 'invalid_api_key') return undefined;
  throw error;
}
