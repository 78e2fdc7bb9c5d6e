import type { ExchangeHandler } from '@tallyport/bus';
import { GatewayError, type Principal } from '@tallyport/contracts';

/** Serves requests of a key about itself. Edge has authenticated the caller. */
export const answerOwn =
  (read: (principal: Principal) => Promise<object>): ExchangeHandler =>
  async ({ head: { principal } }) => {
    if (principal === undefined)
      throw new GatewayError('invalid_api_key', 'An API key is required. Send the key whose data you want.');
    const body = Buffer.from(JSON.stringify(await read(principal)));
    const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': String(body.length) };
    return { head: { status: 200, headers: { ...headers, 'cache-control': 'no-store' } }, body };
  };
