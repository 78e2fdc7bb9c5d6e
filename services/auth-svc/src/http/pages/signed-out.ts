import { type Html, messagePage } from '@tallyport/pages';
import type { EndedProviderSession } from '../../sessions/sessions.ts';
import type { PageTools } from './tools.ts';

/**
 * The page that offers to sign out at the identity provider too, where people may be signed in to other applications.
 * `undefined` if the provider offers no sign-out. A redirect after the form would be stopped by the form's policy.
 */
export async function signedOutPage(
  { provider: id, idToken }: EndedProviderSession,
  { tools, origin }: { tools: PageTools; origin: string },
): Promise<Html | undefined> {
  const provider = tools.identityProviders.find(id);
  if (provider === undefined) return undefined;
  const returnTo = `${origin}/sign-in`;
  const address = await tools.identityProviders.signOut.address(provider, { idToken, returnTo });
  if (address === undefined) return undefined;
  return messagePage({
    title: 'You are signed out',
    text: `You are still signed in to ${provider.name}, and this browser can sign in here again without a question.`,
    link: { href: address.href, text: `Sign out of ${provider.name} as well` },
  });
}
