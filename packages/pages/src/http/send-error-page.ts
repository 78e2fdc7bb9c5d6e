import { GatewayError, toGatewayError } from '@tallyport/contracts';
import type { Response } from 'express';
import { type MessagePage, messagePage } from '../message.ts';
import { sendPage } from './send-page.ts';

const titles: Readonly<Record<number, string>> = {
  403: 'Not allowed',
  404: 'Page not found',
  429: 'Too many attempts',
  503: 'Temporarily unavailable',
};

/** Sends an error page with a link back into the gateway, and returns the error. `textOf` says it in other words. */
export function sendErrorPage(
  response: Response,
  thrown: unknown,
  textOf = ({ message }: GatewayError): string => message,
): GatewayError {
  const error = clientFault(thrown) ?? toGatewayError(thrown);
  const { status, retryAfterMs } = error;
  if (retryAfterMs !== undefined) response.set('retry-after', String(Math.max(1, Math.ceil(retryAfterMs / 1000))));
  const message = {
    ...errorMessage({ status, message: textOf(error) }),
    link: { href: '/dashboard', text: 'Open the dashboard' },
  };
  sendPage(response, messagePage(message), { status });
  return error;
}

/** What a page says about an error. */
export const errorMessage = ({
  status,
  message: text,
}: Pick<GatewayError, 'status' | 'message'>): Pick<MessagePage, 'title' | 'text'> => ({
  title: titles[status] ?? (status < 500 ? 'Request failed' : 'Something went wrong'),
  text,
});

/** express sets `status` on errors that the client caused, such as a form that is too large. */
function clientFault(thrown: unknown): GatewayError | undefined {
  const status =
    thrown instanceof Error && !(thrown instanceof GatewayError) && 'status' in thrown ? thrown.status : 500;
  if (typeof status !== 'number' || status >= 500) return undefined;
  return new GatewayError('invalid_parameters', 'The request cannot be read. Go back and try again.', {
    cause: thrown,
  });
}
