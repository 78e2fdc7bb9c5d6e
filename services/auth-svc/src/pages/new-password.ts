import { field, problem } from './fields.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';

export interface NewPasswordPage {
  title: string;
  text: string;
  /** The page's own path: the form is posted there. */
  action: string;
  /** Given: only the password is asked for. */
  knownEmail?: string | undefined;
  /** They have a password already. */
  known?: boolean;
  email?: string | undefined;
  button: string;
  message?: string | undefined;
  shortestPassword: number;
}

/** For the first owner, for people who were invited, and for those who forgot theirs. */
export const newPasswordPage = (page: NewPasswordPage): Html =>
  layout({
    title: page.title,
    body: html` <div class="card">
      <h1>${page.title}</h1>
      <p class="quiet">${page.text}</p>
      ${problem(page.message)}
      <form method="post" action="${page.action}">
        ${
          page.knownEmail === undefined
            ? field({
                name: 'email',
                label: 'E-mail',
                type: 'email',
                autocomplete: 'username',
                value: page.email,
                focus: true,
              })
            : html`<div class="field"><span class="label">E-mail</span>${page.knownEmail}</div>`
        }
        ${password(page)}
        <button class="whole">${page.button}</button>
      </form>
    </div>`,
  });

const password = ({ known = false, shortestPassword }: NewPasswordPage): Html =>
  field(
    known
      ? { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', focus: true }
      : {
          name: 'password',
          label: 'Password',
          type: 'password',
          autocomplete: 'new-password',
          hint: `At least ${shortestPassword} characters. A few words in a row are good.`,
          minLength: shortestPassword,
        },
  );
