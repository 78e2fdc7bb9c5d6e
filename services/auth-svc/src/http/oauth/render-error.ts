import type { KoaContextWithOIDC } from '../../oauth/library.ts';
import { messagePage } from '../../pages/message.ts';
import { render } from '../../pages/html.ts';
import { pageSecurityHeaders } from '../send-page.ts';

interface Told {
  error: string;
  error_description?: string | undefined;
}

/** What a person sees when an application's request is so wrong that nobody may be sent back with it. */
export function renderOAuthError(context: KoaContextWithOIDC, { error, error_description: description }: Told): void {
  context.set(pageSecurityHeaders());
  context.type = 'html';
  const text =
    texts[error] ?? 'The request of the application cannot be answered. Tell those who made it what is below.';
  const detail = description === undefined ? error : `${error}: ${description}`;
  context.body = render(messagePage({ title: 'The application asked for something that does not work', text, detail }));
}

const texts: Readonly<Record<string, string>> = {
  invalid_client:
    'This gateway does not know the application, or no longer. Remove the connection in the application and set it up again.',
  invalid_redirect_uri:
    'The application wants its answer sent to an address it has not registered. Nothing was sent there.',
  server_error: 'Something went wrong on our side. Try again in a moment.',
  temporarily_unavailable: 'This cannot be answered right now. Try again in a moment.',
};
