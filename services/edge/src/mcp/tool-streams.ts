import type { ServerResponse } from 'node:http';
import { GatewayError, type Principal } from '@tallyport/contracts';
import { repeat } from '@tallyport/service-kit';
import { settled } from './settled.ts';

/** The GET stream of a client. */
interface ToolStream {
  principal: Principal;
  response: ServerResponse;
  /** The caller as it is now. Rejects with `invalid_api_key` if its key has ended. */
  principalNow(): Promise<Principal>;
}

export interface ToolStreams {
  /** Keeps the stream open until its client disconnects or its time is over. Throws beyond the limits. */
  open(stream: ToolStream): Promise<void>;
  /** The tools of the account's servers have changed: its clients are notified soon. */
  changed(accountId: string): void;
  /** Keys of the account, or of any, have changed: streams of those that ended are closed, clients of others are notified if their tools differ. */
  keysChanged(accountId?: string): void;
  /** Accounts with clients that may use registered servers. */
  watching(): string[];
  /** Ends all streams and refuses new ones. */
  close(): void;
}

export interface ToolStreamsOptions {
  /** All streams of this process. */
  most: number;
  mostPerAccount: number;
  onFailed(error: unknown): void;
  everyMs?: number;
  lastsMs?: number;
  /** Between a change and its notification: other replicas drop what they remember within it. */
  settleMs?: number;
}

/** Proxies close connections that stay silent for longer. */
const keepAliveMs = 15_000;
/** Clients open their stream again. */
const longestMs = 3_600_000;
const settleMs = 500;
/** A client that does not read its stream is left. */
const mostUnread = 16 * 1024;

const notification = `event: message\ndata: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n`;

/**
 * The GET streams that older MCP clients open for notifications of the server. The only one is that tools have changed.
 * Any replica can serve any request, so the streams end at edge, where each costs one socket and no call to mcp-svc.
 */
export function createToolStreams({ most, mostPerAccount, onFailed, ...times }: ToolStreamsOptions): ToolStreams {
  const accounts = new Map<string, Set<ToolStream>>();
  const notices = settled(times.settleMs ?? settleMs);
  let stopKeeping: (() => void) | undefined;
  let count = 0;
  let closed = false;
  const all = (): ToolStream[] => [...accounts.values()].flatMap((streams) => [...streams]);

  function enter(stream: ToolStream): void {
    const { accountId } = stream.principal;
    const streams = accounts.get(accountId) ?? new Set();
    if (streams.size >= mostPerAccount) throw tooMany(mostPerAccount);
    if (count >= most) throw full();
    accounts.set(accountId, streams.add(stream));
    count += 1;
    stopKeeping ??= repeat({ everyMs: times.everyMs ?? keepAliveMs, onFailed }, () => all().forEach(keepAlive));
  }

  function leave(stream: ToolStream): void {
    const { accountId } = stream.principal;
    const streams = accounts.get(accountId);
    streams?.delete(stream);
    count -= 1;
    if (streams?.size === 0) accounts.delete(accountId);
    if (count > 0) return;
    stopKeeping?.();
    stopKeeping = undefined;
  }

  return {
    async open(stream) {
      const { response } = stream;
      if (closed) throw new GatewayError('unavailable', 'This server is shutting down.', { retryAfterMs: 1000 });
      enter(stream);
      response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
      });
      response.write(': open\n\n');
      const deadline = setTimeout(() => response.end(), times.lastsMs ?? longestMs);
      await new Promise<void>((resolve) => response.once('close', resolve));
      clearTimeout(deadline);
      leave(stream);
    },
    changed: (accountId) =>
      notices.soon(`account ${accountId}`, () => accounts.get(accountId)?.forEach(({ response }) => notify(response))),
    keysChanged: (accountId) =>
      notices.soon(`keys of ${accountId ?? 'any'}`, () => {
        const streams = accountId === undefined ? all() : (accounts.get(accountId) ?? []);
        for (const stream of streams) void recheck(stream);
      }),
    watching: () =>
      [...accounts].flatMap(([accountId, streams]) =>
        [...streams].some(({ principal }) => principal.mcpServers === true) ? [accountId] : [],
      ),
    close() {
      closed = true;
      notices.stop();
      for (const { response } of all()) response.end();
    },
  };
}

function keepAlive({ response }: ToolStream): void {
  if (response.writableLength > mostUnread) response.destroy();
  else response.write(':\n\n');
}

function notify(response: ServerResponse): void {
  if (!response.writableEnded) response.write(notification);
}

/** A stream stays open while its caller cannot be looked up. */
async function recheck(stream: ToolStream): Promise<void> {
  try {
    const before = toolRights(stream.principal);
    const { mcpServers, allowedMcpTools } = await stream.principalNow();
    const { mcpServers: _servers, allowedMcpTools: _tools, ...others } = stream.principal;
    stream.principal = { ...others, ...(mcpServers && { mcpServers }), ...(allowedMcpTools && { allowedMcpTools }) };
    if (toolRights(stream.principal) !== before) notify(stream.response);
  } catch (thrown) {
    if (thrown instanceof GatewayError && thrown.status < 500 && thrown.status !== 429) stream.response.end();
  }
}

const toolRights = ({ mcpServers, allowedMcpTools }: Principal): string =>
  JSON.stringify([mcpServers, allowedMcpTools]);

const tooMany = (limit: number): GatewayError =>
  new GatewayError(
    'rate_limit_exceeded',
    `This account has ${limit} MCP streams open (MCP_MAX_STREAMS_PER_ACCOUNT). Close some; tool calls do not need one.`,
    { retryAfterMs: 60_000 },
  );

const full = (): GatewayError =>
  new GatewayError('overloaded', 'This server has no MCP streams left (MCP_MAX_STREAMS). Tool calls do not need one.', {
    retryAfterMs: 60_000,
  });
