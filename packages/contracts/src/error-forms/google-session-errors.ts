import type { GatewayError } from '../errors.ts';
import { openAiSessionErrors } from './openai-session-errors.ts';
import type { SessionErrors } from './session-errors.ts';

/** Sessions of Google's Live API report errors in their close frame, and the end of a connection with `goAway`. */
export const googleSessionErrors: SessionErrors = {
  last: ({ code }) => (endsConnection.has(code) ? JSON.stringify({ goAway: { timeLeft: '0s' } }) : undefined),
  closeCode: (error) => (isInvalid(error) ? invalidPayload : openAiSessionErrors.closeCode(error)),
};

/** A client may open another one. */
const endsConnection: ReadonlySet<string> = new Set(['deadline_exceeded', 'unavailable']);

const isInvalid = ({ status }: GatewayError): boolean => status === 400 || status === 413;

const invalidPayload = 1007;
