import type { ExchangeHandler } from '@switchyard/bus';
import { GatewayError, type Principal } from '@switchyard/contracts';

/** A question of a key about itself: edge has made sure who asks. */
export const answerOwn =
  (read: (principal: Principal) => Promise<object>): ExchangeHandler =>
  async ({ head: { principal } }) => {
    if (principal === undefined) throw new GatewayError('invalid_api_key', 'Send the key that you ask about.');
    const body = Buffer.from(JSON.stringify(await read(principal)));
    const headers = { 'content-type': 'application/json; charset=utf-8', 'content-length': String(body.length) };
    return { head: { status: 200, headers: { ...headers, 'cache-control': 'no-store' } }, body };
  };
