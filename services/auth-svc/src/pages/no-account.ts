import { hidden } from './fields.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';

/** For somebody who is signed in and was taken out of every account. */
export const noAccountPage = ({ email, csrfToken }: { email: string; csrfToken: string }): Html =>
  layout({
    title: 'No account',
    body: html` <div class="card">
      <h1>You belong to no account</h1>
      <p class="quiet">You are signed in as ${email}.</p>
      <p>Ask whoever runs this gateway to invite you.</p>
      <form method="post" action="/sign-out">
        ${hidden('csrf_token', csrfToken)}
        <button class="plain whole">Sign out</button>
      </form>
    </div>`,
  });
