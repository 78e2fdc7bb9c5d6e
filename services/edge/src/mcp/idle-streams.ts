import type { ServerResponse } from 'node:http';
import { GatewayError } from '@switchyard/contracts';

export interface IdleStreams {
  /** Keeps the stream open until its client disconnects. Throws `rate_limit_exceeded` beyond the account's limit. */
  open(accountId: string, response: ServerResponse): Promise<void>;
  /** Ends all streams and refuses new ones. */
  close(): void;
}

export interface IdleStreamsOptions {
  maxPerAccount: number;
  everyMs?: number;
}

/** Proxies close connections that stay silent for longer. */
const keepAliveMs = 15_000;

/**
 * The GET streams that older MCP clients open for server notifications. The gateway never sends any: each response
 * belongs to its own request, so that any replica can serve it. The streams therefore end at edge, where each costs one
 * socket and no call to mcp-svc.
 */
export function createIdleStreams({ maxPerAccount, everyMs = keepAliveMs }: IdleStreamsOptions): IdleStreams {
  const accounts = new Map<string, Set<ServerResponse>>();
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const all = (): ServerResponse[] => [...accounts.values()].flatMap((streams) => [...streams]);

  function leave(accountId: string, response: ServerResponse): void {
    const streams = accounts.get(accountId);
    streams?.delete(response);
    if (streams?.size === 0) accounts.delete(accountId);
    if (accounts.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    async open(accountId, response) {
      if (closed) throw new GatewayError('unavailable', 'This server is shutting down.', { retryAfterMs: 1000 });
      const streams = accounts.get(accountId) ?? new Set();
      if (streams.size >= maxPerAccount) throw tooMany(maxPerAccount);
      accounts.set(accountId, streams.add(response));
      timer ??= setInterval(() => {
        for (const stream of all()) stream.write(':\n\n');
      }, everyMs);
      response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
      });
      response.write(': open\n\n');
      await new Promise<void>((resolve) => response.once('close', resolve));
      leave(accountId, response);
    },
    close() {
      closed = true;
      for (const stream of all()) stream.end();
    },
  };
}

const tooMany = (limit: number): GatewayError =>
  new GatewayError(
    'rate_limit_exceeded',
    `This account has ${limit} MCP streams open (MCP_MAX_STREAMS_PER_ACCOUNT). Close some; tool calls do not need one.`,
    { retryAfterMs: 60_000 },
  );
