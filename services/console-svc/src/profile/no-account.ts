import { csrfField, type Html, html, layout } from '@tallyport/pages';

/** The page for a signed-in user without an account. */
export const noAccountPage = ({ email, csrfToken }: { email: string; csrfToken: string }): Html =>
  layout({
    title: 'No account',
    body: html` <div class="card">
      <h1>You are not a member of any account</h1>
      <p class="quiet">You are signed in as ${email}.</p>
      <p>Ask the operator of this gateway to invite you.</p>
      <form method="post" action="/sign-out">
        ${csrfField(csrfToken)}
        <button class="plain whole">Sign out</button>
      </form>
    </div>`,
  });
