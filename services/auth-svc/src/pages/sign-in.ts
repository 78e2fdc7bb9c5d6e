import { field, hidden, type Html, html, layout, problem } from '@switchyard/pages';

export interface SignInPage {
  /** The page on this site to continue with. */
  next: string;
  email?: string | undefined;
  message?: string | undefined;
}

export const signInPage = ({ next, email, message }: SignInPage): Html =>
  layout({
    title: 'Sign in',
    body: html` <div class="card">
        <h1>Sign in</h1>
        <p class="quiet">Use your e-mail address on this gateway.</p>
        ${problem(message)}
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
        </form>
      </div>
      <p class="under">No account? Ask the operator of this gateway to invite you.</p>`,
  });
