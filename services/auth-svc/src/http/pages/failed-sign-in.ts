import { type MessagePage, messagePage, sendPage } from '@tallyport/pages';
import type { Response } from 'express';
import type { SignInProvider } from '../../identity/document/read-identity.ts';
import type { CompletedSignIn } from '../../identity/sign-in/complete-sign-in.ts';

type FailedSignIn = Exclude<CompletedSignIn, { outcome: 'signed_in' }>;

/** Sends the page that says why a sign-in with a provider failed and what to do. */
export function sendFailedSignIn(response: Response, failed: FailedSignIn, { name }: SignInProvider): void {
  const { status, ...page } = pageOf(failed, name);
  if (failed.outcome === 'provider_away') response.set('retry-after', '10');
  sendPage(response, messagePage(page), { status });
}

const again = { href: '/sign-in', text: 'Back to the sign-in page' };

function pageOf(failed: FailedSignIn, name: string): MessagePage & { status: number } {
  switch (failed.outcome) {
    case 'expired':
      return {
        status: 400,
        title: 'This sign-in is no longer valid',
        text: 'It was used already, took too long, or began in another browser. Start again.',
        link: again,
      };
    case 'refused':
      return {
        status: 403,
        title: `${name} did not sign you in`,
        text: `Try again. If it happens again, send the code below to the administrator of ${name}.`,
        detail: failed.code,
        link: again,
      };
    case 'unverified':
      return {
        status: 502,
        title: `The response of ${name} cannot be verified`,
        text: 'Try again. If it happens again, ask the operator of this gateway, whose log has the reason.',
        link: again,
      };
    case 'provider_away':
      return {
        status: 503,
        title: `${name} is not responding`,
        text: `You cannot sign in with ${name} until it responds again. Try again in a moment.`,
        link: again,
      };
    case 'no_access':
      return {
        status: 403,
        title: 'You have no access to this gateway',
        text: `${name} identified you as ${failed.email}, but none of your groups has access. Ask the operator of this gateway which group you need, and sign in again once you are in it.`,
        link: again,
      };
    case 'no_email':
      return {
        status: 403,
        title: 'Your e-mail address is missing',
        text: `${name} did not send your e-mail address. Ask the operator of this gateway to request it from ${name}.`,
        link: again,
      };
    default:
      return failed satisfies never;
  }
}
