import { GatewayError } from '@switchyard/contracts';

/** The error for a body that is not JSON. */
export const invalidJson = (why: string, cause?: unknown): GatewayError =>
  new GatewayError('invalid_json', `The body must be JSON, but ${why.slice(0, 200)}.`, { cause });
