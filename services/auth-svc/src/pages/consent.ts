import { csrfField, hidden, type Html, html, layout } from '@tallyport/pages';
import type { ConsentDetails } from '../oauth/consent.ts';
import { scopeTexts } from '../oauth/scopes.ts';

interface ConsentPage {
  details: ConsentDetails;
  /** The path of this page, to which the decision is posted. */
  action: string;
  email: string;
  csrfToken: string;
  accounts: readonly { id: string; name: string }[];
}

/** Asks whether a client may act for the user, for one account. */
export const consentPage = ({ details, action, email, csrfToken, accounts }: ConsentPage): Html =>
  layout({
    title: 'Allow access',
    body: html` <div class="card">
        <h1>Allow <q>${details.clientName}</q> to act for you?</h1>
        <p class="quiet">You are signed in as ${email}.</p>
        <h2>It will be able to</h2>
        <ul class="list">
          ${details.scopes.map((scope) => html`<li>${tick}<span>${scopeTexts[scope]}</span></li>`)}
        </ul>
        <dl class="facts">
          <dt>Redirects to</dt>
          <dd>${details.destination}</dd>
        </dl>
        ${details.onOwnMachine && ownMachineWarning}
        <form method="post" action="${action}">
          ${csrfField(csrfToken)} ${chooser(accounts)}
          <div class="buttons">
            <button class="plain" name="decision" value="deny">Deny</button>
            <button name="decision" value="allow">Allow</button>
          </div>
        </form>
        <p class="hint last">Applications choose their own names. Only allow access that you started yourself.</p>
      </div>
      <div class="under">
        Not you?
        <form method="post" action="/sign-out">
          ${csrfField(csrfToken)} ${hidden('next', action)}
          <button class="link">Sign in as another user</button>
        </form>
      </div>`,
  });

const ownMachineWarning = html`<p class="note warn">
  The redirect leads to a program on your own computer, and any local program could claim to be it. Only allow access
  that you have just started.
</p>`;

function chooser(accounts: ConsentPage['accounts']): Html {
  const [first] = accounts;
  if (accounts.length === 1 && first !== undefined)
    return html`${hidden('account', first.id)}
      <p class="small quiet">Usage counts towards the account <strong>${first.name}</strong>.</p>`;
  return html`<fieldset class="choices">
    <legend class="label">Account</legend>
    <ul class="list">
      ${accounts.map(
        ({ id, name }, at) =>
          html`<li>
            <label class="choice"
              ><input type="radio" name="account" value="${id}" required ${at === 0 && html`checked`} />${name}</label
            >
          </li>`,
      )}
    </ul>
  </fieldset>`;
}

const tick = html`<svg class="tick" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
  <path d="m4 10.5 4 4 8-9" />
</svg>`;
