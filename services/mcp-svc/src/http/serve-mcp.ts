import type { ExchangeAnswer, ExchangeHandler, IncomingExchange } from '@tallyport/bus';
import {
  endUserHeader,
  GatewayError,
  mcpAuthenticateHeader,
  type RequestHead,
  toGatewayError,
} from '@tallyport/contracts';
import type { McpEvents } from '../events.ts';
import type { ToolCaller } from '../tool.ts';
import { type AdmissionLimits, createAdmission } from './admission.ts';
import { deliverAnswer, type AnswerDelivery } from './answer.ts';
import { callsTool, type Protocol } from './protocol.ts';
import { type BodyLimits, readMessages, withBody } from './read-messages.ts';
import { rpcError } from './rpc-error.ts';
import type { ScopeCheck } from './scopes.ts';

interface ServeMcpOptions {
  protocol: Protocol;
  limits: BodyLimits;
  concurrent: AdmissionLimits;
  /** The response to a plain GET, which needs no key. Contains no secrets. */
  description: object;
  checkScopes: ScopeCheck;
  events: McpEvents;
}

/** Answers `/mcp`. Errors are answers as well, in JSON-RPC. */
export function serveMcp(options: ServeMcpOptions): ExchangeHandler {
  const admit = createAdmission(options.concurrent);

  /** Holds the caller's slot and the bytes of the body until the answer has been sent. */
  async function call({ head, body, signal, confirm }: IncomingExchange, send: AnswerDelivery['send']): Promise<void> {
    const caller = callerOf(head);
    await admit(caller.principal.accountId, () =>
      withBody({ head, body }, options.limits, async (bytes) => {
        const messages = readMessages(bytes);
        options.checkScopes(messages, caller);
        if (callsTool(messages)) await confirm?.();
        const answer = await options.protocol.answer({ messages, headers: head.headers, caller, signal });
        await deliverAnswer(answer, { signal, send });
      }),
    );
  }

  async function answer(exchange: IncomingExchange): Promise<ExchangeAnswer> {
    const { method } = exchange.head.http ?? {};
    if (method === 'POST') return new Promise((resolve, reject) => void call(exchange, resolve).catch(reject));
    if (method === 'GET' || method === 'HEAD')
      return jsonAnswer(exchange.head, { status: 200, value: options.description });
    throw new GatewayError('method_not_allowed', `/mcp does not support ${method}. Use POST.`);
  }

  return async (exchange) => {
    try {
      return await answer(exchange);
    } catch (thrown) {
      if (exchange.signal.aborted) throw thrown;
      const error = toGatewayError(thrown);
      options.events.refused(exchange.head.requestId, error);
      return refusal(exchange.head, error);
    }
  };
}

function callerOf({ requestId, principal, rights, traceparent, headers }: RequestHead): ToolCaller {
  if (principal !== undefined && rights !== undefined)
    return { ...rights, principal, requestId, traceparent, endUser: headers[endUserHeader] };
  throw new GatewayError(
    'invalid_api_key',
    'This server only accepts requests from the gateway. Use its public address.',
  );
}

function refusal(head: RequestHead, error: GatewayError): ExchangeAnswer {
  const { status, code, retryAfterMs } = error;
  const headers: Record<string, string> = {};
  if (retryAfterMs !== undefined) headers['retry-after'] = String(Math.max(1, Math.ceil(retryAfterMs / 1000)));
  if (code === 'permission_denied' && head.http !== undefined) {
    const publicUrl = head.http.publicOrigin;
    headers['www-authenticate'] = mcpAuthenticateHeader({ publicUrl, error: 'insufficient_scope' });
  }
  return jsonAnswer(head, { status, value: rpcError(error), headers });
}

interface JsonAnswer {
  status: number;
  value: object;
  headers?: Readonly<Record<string, string>>;
}

/** The answer to a HEAD has the length of the body, and no body. */
function jsonAnswer({ http }: RequestHead, { status, value, headers }: JsonAnswer): ExchangeAnswer {
  const body = Buffer.from(JSON.stringify(value));
  const type = { 'content-type': 'application/json; charset=utf-8', 'content-length': String(body.length) };
  return {
    head: { status, headers: { ...type, ...headers } },
    body: http?.method === 'HEAD' ? body.subarray(0, 0) : body,
  };
}
