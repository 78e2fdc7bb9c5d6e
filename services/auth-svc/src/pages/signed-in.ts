import { hidden } from './fields.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';

export interface SignedInPage {
  email: string;
  csrfToken: string;
  accounts: readonly { name: string; role: string }[];
}

export const signedInPage = ({ email, csrfToken, accounts }: SignedInPage): Html =>
  layout({
    title: 'Signed in',
    body: html` <div class="card">
      <h1>You are signed in</h1>
      <p class="quiet">As ${email}.</p>
      ${
        accounts.length === 0
          ? html`<p>You belong to no account yet. Ask whoever runs this gateway to invite you.</p>`
          : html`<ul class="list">
              ${accounts.map(({ name, role }) => html`<li><span>${name}</span><span class="quiet">${role}</span></li>`)}
            </ul>`
      }
      <form method="post" action="/sign-out">
        ${hidden('csrf_token', csrfToken)}
        <button class="plain whole">Sign out</button>
      </form>
    </div>`,
  });
