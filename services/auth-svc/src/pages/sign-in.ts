import { field, hidden, type Html, html, layout, problem } from '@tallyport/pages';
import { noOwner } from './no-owner.ts';
import { type ProviderLink, providerLinks } from './provider-links.ts';

interface SignInPage {
  /** The page on this site to continue with. */
  next: string;
  email?: string | undefined;
  message?: string | undefined;
  providers: readonly ProviderLink[];
  /** Whether people can sign in with a password. */
  hasPasswords: boolean;
  /** Whether the gateway has an owner, who can invite others. */
  hasOwner: boolean;
}

export const signInPage = ({ providers, hasPasswords, hasOwner, ...page }: SignInPage): Html =>
  layout({
    title: 'Sign in',
    body: html` <div class="card">
        <h1>Sign in</h1>
        ${!hasOwner && html`<p class="note">${noOwner}</p>`} ${problem(page.message)}
        ${providers.length > 0 && providerLinks(providers)} ${hasPasswords && passwordForm(page)}
      </div>
      ${hasOwner && html`<p class="under">No account? Ask the operator of this gateway to ${hasPasswords ? 'invite you' : 'add you'}.</p>`}`,
  });

const passwordForm = ({ next, email }: Pick<SignInPage, 'next' | 'email'>): Html =>
  html` <p class="quiet">Use your e-mail address on this gateway.</p>
    <form method="post" action="/sign-in">
      ${hidden('next', next)}
      ${field({
        name: 'email',
        label: 'E-mail',
        type: 'email',
        autocomplete: 'username',
        value: email,
        focus: email === undefined,
      })}
      ${field({
        name: 'password',
        label: 'Password',
        type: 'password',
        autocomplete: 'current-password',
        focus: email !== undefined,
      })}
      <button class="whole">Sign in</button>
    </form>`;
