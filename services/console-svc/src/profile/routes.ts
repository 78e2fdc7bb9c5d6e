import { shortestPassword } from '@tallyport/management';
import { buttonForm, type FieldSpec, formPart, type FormState, heading, html, inputOf, panel } from '@tallyport/pages';
import { formRoutes } from '../screen/form-routes.ts';
import type { DashboardRequest, DashboardResponse, DashboardRoute } from '../screen/route.ts';

/** The pages about the signed-in user, the same in every account. */
export const profileRoutes: readonly DashboardRoute[] = [
  ...formRoutes({ path: '/profile', section: undefined, show: showProfile, submit: changePassword }),
  { method: 'post', path: '/profile/sign-out-everywhere', section: undefined, answer: signOutEverywhere },
];

const fields: readonly FieldSpec[] = [
  {
    name: 'current',
    label: 'Current password',
    kind: 'secret',
    required: true,
    autocomplete: 'current-password',
  },
  {
    name: 'new',
    label: 'New password',
    kind: 'secret',
    required: true,
    autocomplete: 'new-password',
    hint: `At least ${shortestPassword} characters. A sequence of several words works well.`,
  },
  {
    name: 'disconnectApplications',
    label: 'Also disconnect applications that have access',
    kind: 'flag',
    hint: 'Recommended if someone else may have known your password and connected applications.',
  },
];

async function showProfile({ base, place, signedIn }: DashboardRequest, state: FormState): Promise<DashboardResponse> {
  const { csrfToken, email } = signedIn;
  const form = formPart({
    action: place,
    csrfToken,
    state,
    groups: [{ fields }],
    button: 'Change the password',
  });
  const everywhere = buttonForm({
    action: `${base}/profile/sign-out-everywhere`,
    csrfToken,
    button: 'Sign out everywhere',
  });
  return {
    title: 'Profile',
    body: html`${heading({ title: email, text: 'Your sign-in, the same for all accounts.' })} ${panel('Password', form)}
    ${panel('Sessions', everywhere, 'Ends your sessions in all browsers, this one included.')}`,
  };
}

async function changePassword({ ask, fields: written }: DashboardRequest): Promise<DashboardResponse> {
  await ask('changePassword', inputOf(fields, written));
  return { to: '/profile', notice: 'password-changed' };
}

async function signOutEverywhere({ ask }: DashboardRequest): Promise<DashboardResponse> {
  await ask('signOut', { everywhere: 'true' });
  return { home: true };
}
