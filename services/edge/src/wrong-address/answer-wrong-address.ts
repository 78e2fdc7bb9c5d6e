import { GatewayError } from '@tallyport/contracts';
import { sendPage } from '@tallyport/pages';
import type { Request, Response } from 'express';
import { sendError } from '../http/send-error.ts';
import { wantsPage } from '../http/wants-page.ts';
import { startPage, wrongAddressPage } from './wrong-address-page.ts';
import type { WrongAddress, WrongAddresses } from './wrong-addresses.ts';

interface AddressKnowledge {
  /** The methods of the path; `undefined` if there is no such path. */
  methods: readonly string[] | undefined;
  /** Whether the path can be opened as a WebSocket. */
  hasSocket: boolean;
  addresses: WrongAddresses;
}

/** Answers a request that no route takes: browsers with a page, programs in the form of the API they call. */
export function answerWrongAddress(
  request: Request,
  response: Response,
  { methods, hasSocket, addresses }: AddressKnowledge,
): void {
  const wrong = { method: request.method, path: request.path };
  if (methods) response.setHeader('allow', methods.join(', '));
  const isSocket = hasSocket && request.method === 'GET';
  if (isSocket) response.setHeader('upgrade', 'websocket');
  const refuse = isSocket ? upgradeRequired : wrongMethod;
  const { error, listed } = methods ? { error: refuse(wrong, methods), listed: [] } : addresses.notFound(wrong);
  if (wantsPage(request)) {
    const page = listed.length > 0 ? startPage(wrong.path, listed) : wrongAddressPage(error);
    return sendPage(response, page, { status: error.status });
  }
  const requestId = String(response.getHeader('x-request-id'));
  sendError(response, error, { requestId, errors: addresses.errorsAt(wrong, request.headers) });
}

const wrongMethod = ({ method, path }: WrongAddress, methods: readonly string[]): GatewayError =>
  new GatewayError('method_not_allowed', `${path} does not support ${method}. Use ${methods.join(' or ')}.`);

function upgradeRequired({ path }: WrongAddress, methods: readonly string[]): GatewayError {
  const others = methods.filter((method) => method !== 'GET');
  const orUse = others.length === 0 ? '' : `, or use ${others.join(' or ')}`;
  const message = `GET ${path} opens a WebSocket: send the headers of an upgrade${orUse}.`;
  return new GatewayError('method_not_allowed', message, { status: 426 });
}
