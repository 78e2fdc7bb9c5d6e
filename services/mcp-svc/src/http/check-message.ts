import { GatewayError } from '@tallyport/contracts';

export type RpcMessage = Record<string, unknown>;

/** The longest client value that is repeated in every response or progress notification. */
const maxEchoLength = 1_000;

/** Checks one message before the MCP library handles it. Throws `invalid_parameters`, naming the invalid member. */
export function checkMessage(value: unknown): RpcMessage {
  if (!isObject(value)) throw invalidMessage('A message must be a JSON object.');
  const { jsonrpc, id, method, params } = value;
  if (jsonrpc !== '2.0') throw invalidMessage('"jsonrpc" must be "2.0".');
  if ('id' in value && !isId(id)) {
    throw invalidMessage(`"id" must be a string of at most ${maxEchoLength} characters or an integer.`);
  }
  checkProgressToken(params);
  return method === 'tools/call' ? { ...value, params: checkedCall(params) } : { ...value };
}

export const invalidMessage = (message: string): GatewayError =>
  new GatewayError('invalid_parameters', `Invalid request: ${message}`);

function checkProgressToken(params: unknown): void {
  const meta = isObject(params) ? params._meta : undefined;
  const token = isObject(meta) ? meta.progressToken : undefined;
  if (typeof token !== 'string' || token.length <= maxEchoLength) return;
  throw invalidMessage(`"params._meta.progressToken" may have at most ${maxEchoLength} characters.`);
}

/** The tools check their arguments themselves. Some clients send `null` for no arguments. */
function checkedCall(params: unknown): RpcMessage {
  if (!isObject(params) || typeof params.name !== 'string') {
    throw invalidMessage('"params.name" must be the name of a tool.');
  }
  const { arguments: given, ...rest } = params;
  if (given === undefined || given === null) return rest;
  if (!isObject(given)) throw invalidMessage('"params.arguments" must be a JSON object.');
  return params;
}

/** A number above the safe integers would be returned changed. */
const isId = (id: unknown): boolean => (typeof id === 'string' ? id.length <= maxEchoLength : Number.isSafeInteger(id));

const isObject = (value: unknown): value is RpcMessage =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
