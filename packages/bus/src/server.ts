import { type Call, type Exchange, GatewayError, type Operation, type ServiceContract } from '@tallyport/contracts';
import { decodeJson } from './json.ts';
import type { ExchangeHandler, IncomingExchange, Link, Listener, ListenOptions } from './link.ts';

/** What the handler of a call receives besides its input. */
interface CallContext {
  requestId: string;
  traceparent: string | undefined;
  signal: AbortSignal;
}

type Handler<O extends Operation> =
  O extends Call<infer Input, infer Output>
    ? (input: Input, context: CallContext) => Promise<Output> | Output
    : O extends Exchange
      ? ExchangeHandler
      : never;

type Answerable<Operations extends Record<string, Operation>> = {
  [Name in keyof Operations as Operations[Name] extends Call | Exchange ? Name : never]: Operations[Name];
};

/** One handler for every call and exchange of the contract. A missing handler is a compile error. */
export type Handlers<Operations extends Record<string, Operation>> = {
  [Name in keyof Answerable<Operations>]: Handler<Operations[Name]>;
};

interface ServeOptions extends ListenOptions {
  version?: string;
  /** Called when the output of a handler does not match the contract, with the details that the caller does not get. */
  onBadOutput?: (operation: string, cause: unknown) => void;
}

/** The input of a call is one JSON value. Anything larger should be an exchange. */
const maxInputBytes = 16 * 1024 * 1024;

/** Serves the calls and exchanges of a contract. Replicas of the same contract share the work. */
// oxlint-disable-next-line max-params -- the options are rare, and link, contract, handlers read as a sentence
export function serve<Operations extends Record<string, Operation>>(
  link: Link,
  contract: ServiceContract<Operations>,
  handlers: Handlers<Operations>,
  options: ServeOptions = {},
): Promise<Listener> {
  const exchangeHandlers: Record<string, ExchangeHandler> = {};
  for (const [name, handler] of Object.entries(handlers)) {
    const operation = contract.operations[name]!;
    exchangeHandlers[name] =
      operation.kind === 'call'
        ? answerCall(operation, handler as CallHandler, (cause) => options.onBadOutput?.(name, cause))
        : (handler as ExchangeHandler);
  }
  return link.listen({
    service: contract.name,
    version: options.version ?? '0.1.0',
    handlers: exchangeHandlers,
    options,
  });
}

type CallHandler = (input: unknown, context: CallContext) => unknown;

function answerCall(operation: Call, handler: CallHandler, onBadOutput: (cause: unknown) => void): ExchangeHandler {
  return async ({ head, body, signal }: IncomingExchange) => {
    const input = operation.input.safeParse(decodeJson(await body.bytes(maxInputBytes)));
    if (!input.success) throw badInput(input.error);
    const { requestId, traceparent } = head;
    const output = operation.output.safeParse(await handler(input.data, { requestId, traceparent, signal }));
    if (!output.success) {
      onBadOutput(output.error);
      throw new GatewayError('internal_error', 'A service returned a response that does not match its contract.');
    }
    return { head: { status: 200, headers: {} }, body: Buffer.from(JSON.stringify(output.data)) };
  };
}

/** Invalid input is the caller's fault: the error says what is wrong and where. */
function badInput({ issues }: { issues: readonly { message: string; path: readonly PropertyKey[] }[] }): GatewayError {
  const message = issues.map((issue) => `${issue.path.map(String).join('.') || 'input'}: ${issue.message}`).join('; ');
  return new GatewayError('invalid_parameters', message, { param: issues[0]?.path.map(String).join('.') ?? '' });
}
