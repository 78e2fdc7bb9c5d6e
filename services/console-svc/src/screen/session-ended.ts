import { type FieldValues, hidden, type Html, html, layout, splitSecrets } from '@tallyport/pages';

interface EndedSession {
  /** The path that the form was sent to. */
  action: string;
  fields: FieldValues;
}

/** Keeps what was entered in a form whose session has ended, except for secrets, until the user has signed in again. */
export function sessionEndedPage({ action, fields: posted }: EndedSession): Html {
  const { fields, secrets } = splitSecrets(posted);
  return layout({
    title: 'Your session has ended',
    body: html` <div class="card">
      <h1>Your session has ended</h1>
      <p>Nothing was saved, and this page keeps what you entered. Sign in in another tab, then continue here.</p>
      ${secrets.length > 0 && html`<p class="note warn">Secrets are not kept. Enter again: ${secrets.join(', ')}.</p>`}
      <p><a class="button plain whole" href="/sign-in" target="_blank" rel="noopener">Sign in</a></p>
      <form method="post" action="${action}">
        ${Object.entries(fields).map(([name, value]) => hidden(name, value))}
        <button class="whole">Continue</button>
      </form>
    </div>`,
  });
}
