import { messagePage, pageSecurityHeaders, render } from '@tallyport/pages';
import type { KoaContextWithOIDC } from '../../oauth/library.ts';

interface OAuthErrorDetails {
  error: string;
  error_description?: string | undefined;
}

/** Renders the error page for an authorization request so invalid that the user cannot be redirected back. */
export function renderOAuthError(
  context: KoaContextWithOIDC,
  { error, error_description: description }: OAuthErrorDetails,
): void {
  context.set(pageSecurityHeaders());
  context.type = 'html';
  const text = texts[error] ?? 'The application sent an invalid request. Report the details below to its developers.';
  const detail = description === undefined ? error : `${error}: ${description}`;
  context.body = render(messagePage({ title: 'The application sent an invalid request', text, detail }));
}

const texts: Readonly<Record<string, string>> = {
  invalid_client:
    'This gateway does not know the application. Remove the connection in the application and set it up again.',
  invalid_redirect_uri:
    'The application requested a redirect to an address it has not registered. Nothing was sent there.',
  server_error: 'Something went wrong on our side. Try again in a moment.',
  temporarily_unavailable: 'The sign-in service is not available right now. Try again in a moment.',
};
