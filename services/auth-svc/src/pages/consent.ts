import type { ConsentQuestion } from '../oauth/consent.ts';
import { scopeTexts } from '../oauth/scopes.ts';
import { hidden } from './fields.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';

export interface ConsentPage {
  question: ConsentQuestion;
  /** The page's own path: the answer is posted there. */
  action: string;
  email: string;
  csrfToken: string;
  accounts: readonly { id: string; name: string }[];
}

/** Who asks, for what, for which account, and where the answer goes. */
export const consentPage = ({ question, action, email, csrfToken, accounts }: ConsentPage): Html =>
  layout({
    title: 'Allow access',
    body: html` <div class="card">
        <h1>Allow <q>${question.clientName}</q> to act for you?</h1>
        <p class="quiet">You are signed in as ${email}.</p>
        <h2>It will be able to</h2>
        <ul class="list">
          ${question.scopes.map((scope) => html`<li>${tick}<span>${scopeTexts[scope]}</span></li>`)}
        </ul>
        <dl class="facts">
          <dt>Answer goes to</dt>
          <dd>${question.destination}</dd>
        </dl>
        ${question.onOwnMachine && ownMachineWarning}
        <form method="post" action="${action}">
          ${hidden('csrf_token', csrfToken)} ${chooser(accounts)}
          <div class="buttons">
            <button class="plain" name="decision" value="deny">Deny</button>
            <button name="decision" value="allow">Allow</button>
          </div>
        </form>
        <p class="hint last">Names are chosen by the application itself. Allow only what you started yourself.</p>
      </div>
      <div class="under">
        Not you?
        <form method="post" action="/sign-out">
          ${hidden('csrf_token', csrfToken)} ${hidden('next', action)}
          <button class="link">Sign in as somebody else</button>
        </form>
      </div>`,
  });

const ownMachineWarning = html`<p class="note warn">
  The answer goes to a program on your own computer. Any program running there could claim to be this one: allow it only
  if you have just started it.
</p>`;

function chooser(accounts: ConsentPage['accounts']): Html {
  const [first] = accounts;
  if (accounts.length === 1 && first !== undefined)
    return html`${hidden('account', first.id)}
      <p class="small quiet">It counts towards the account <strong>${first.name}</strong>.</p>`;
  return html`<fieldset class="choices">
    <legend class="label">For which account?</legend>
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
