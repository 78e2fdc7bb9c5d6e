import { messagePage, pageSecurityHeaders, render } from '@tallyport/pages';
import type { OAuthErrorDetails } from '../../oauth/keep-error-here.ts';
import type { KoaContextWithOIDC } from '../../oauth/library.ts';

/** Renders the error page for an authorization request so invalid that the user cannot be redirected back. */
export function renderOAuthError(
  context: KoaContextWithOIDC,
  { error, error_description: description, reason }: OAuthErrorDetails,
): void {
  context.set(pageSecurityHeaders());
  context.type = 'html';
  const text =
    reason ?? texts[error] ?? 'The application sent an invalid request. Report the details below to its developers.';
  const detail = description === undefined ? error : `${error}: ${description}`;
  context.body = render(messagePage({ title: reason === undefined ? invalid : unidentified, text, detail }));
}

const invalid = 'The application sent an invalid request';
const unidentified = 'The application could not be identified';

const texts: Readonly<Record<string, string>> = {
  invalid_client:
    'This gateway does not know the application. Remove the connection in the application and set it up again.',
  invalid_redirect_uri:
    'The application requested a redirect to an address it has not registered. Nothing was sent there.',
  server_error: 'Something went wrong on our side. Try again in a moment.',
  temporarily_unavailable: 'The sign-in service is not available right now. Try again in a moment.',
};
