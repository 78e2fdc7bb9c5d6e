import { field, type Html, html, layout, problem } from '@tallyport/pages';

interface NewPasswordPage {
  title: string;
  text: string;
  /** The path of this page, to which the form is posted. */
  action: string;
  /** If set, only the password is asked for. */
  knownEmail?: string | undefined;
  /** Whether the user already has a password. */
  known?: boolean;
  email?: string | undefined;
  button: string;
  message?: string | undefined;
  /** Offers to disconnect applications. */
  offersDisconnect?: boolean;
  /** A link to an alternative. */
  other?: { href: string; text: string };
  shortestPassword: number;
}

/** The page on which first owners, invited users and users who forgot their password enter one. */
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
        ${password(page)} ${page.offersDisconnect && disconnect}
        <button class="whole">${page.button}</button>
      </form>
      ${page.other && html`<p class="quiet"><a href="${page.other.href}">${page.other.text}</a></p>`}
    </div>`,
  });

const disconnect = html`<div class="field">
  <label class="flag"
    ><input type="checkbox" name="disconnect" value="yes" checked />Also disconnect applications that have access</label
  >
</div>`;

const password = ({ known = false, shortestPassword }: NewPasswordPage): Html =>
  field(
    known
      ? { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', focus: true }
      : {
          name: 'password',
          label: 'Password',
          type: 'password',
          autocomplete: 'new-password',
          hint: `At least ${shortestPassword} characters. A sequence of several words works well.`,
          minLength: shortestPassword,
        },
  );
