import { type Endpoint, endpoints, GatewayError, type RequestHead, type UsageOperation } from '@tallyport/contracts';
import { endOfGeminiPath } from './gemini-path.ts';

type PaidRow = Extract<(typeof endpoints)[number], { method: 'POST'; key: 'required'; usage: UsageOperation }>;

/** The exchanges whose requests can be explained. */
export type ExplainedExchange = PaidRow['exchange'];

interface ExplainedAddress {
  exchange: ExplainedExchange;
  /** The end of an address of Google's API, with the model and the method; empty for others. */
  rest: string;
}

const isPaid = (row: Endpoint): row is PaidRow =>
  row.method === 'POST' && row.key === 'required' && row.usage !== undefined;

const rows = endpoints.filter(isPaid);

/**
 * `path` in the query is the address that a request would be sent to, with or without its own query; `undefined` without
 * `path`. Throws if no endpoint is there.
 */
export function explainedAddress(head: Pick<RequestHead, 'query'>): ExplainedAddress | undefined {
  const [path] = new URLSearchParams(head.query).get('path')?.split(/[?#]/, 1) ?? [];
  if (path === undefined) return undefined;
  const rest = endOfGeminiPath(path);
  if (rest !== undefined) return { exchange: 'generateContent', rest };
  const row = rows.find((each) => each.path === path);
  if (row !== undefined) return { exchange: row.exchange, rest: '' };
  const message = `'path' must be the address of a request, such as ${rows.map((each) => each.path).join(', ')}.`;
  throw new GatewayError('invalid_parameters', message, { param: 'path' });
}
