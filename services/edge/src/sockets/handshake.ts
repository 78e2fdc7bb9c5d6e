import type { IncomingMessage } from 'node:http';
import { GatewayError } from '@tallyport/contracts';
import { holdsKey, offeredSubprotocols } from '../authenticate/subprotocol-key.ts';

const version = '13';
const keyPattern = /^[+/0-9A-Za-z]{22}==$/;
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Throws for a handshake that cannot be completed, so that its client gets an error in the form of the API. */
export function checkHandshake({ headers }: IncomingMessage): void {
  if (headers['sec-websocket-version'] !== version) throw wrongVersion();
  if (!keyPattern.test(headers['sec-websocket-key'] ?? '')) throw invalid('Sec-WebSocket-Key');
  const offered = offeredSubprotocols(headers);
  if (!offered.every((each) => token.test(each)) || new Set(offered).size < offered.length) {
    throw invalid('Sec-WebSocket-Protocol');
  }
  if (offered.length > 0 && markerOf(offered) === undefined) throw noMarker();
}

/** Parameters that OpenAI's clients send as subprotocols, besides the key. */
const parameters = ['openai-organization.', 'openai-project.'] as const;

/** The subprotocol that the answer names: browsers close a socket whose server accepts none of those they offered. */
export const markerOf = (offered: readonly string[]): string | undefined =>
  offered.find((each) => !holdsKey(each) && !parameters.some((prefix) => each.startsWith(prefix)));

const wrongVersion = (): GatewayError =>
  new GatewayError('invalid_parameters', `Open the WebSocket with Sec-WebSocket-Version: ${version}.`, { status: 426 });

const invalid = (header: string): GatewayError =>
  new GatewayError('invalid_parameters', `The ${header} header is missing or invalid. Use a WebSocket client.`);

const noMarker = (): GatewayError =>
  new GatewayError(
    'invalid_parameters',
    'Offer another subprotocol beside the one with the key, for example "realtime": the answer names it.',
  );
