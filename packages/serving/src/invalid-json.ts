import { GatewayError } from '@switchyard/contracts';

/** What a client is told whose body is no JSON. */
export const invalidJson = (why: string, cause?: unknown): GatewayError =>
  new GatewayError('invalid_json', `The body must be JSON, but ${why.slice(0, 200)}.`, { cause });
