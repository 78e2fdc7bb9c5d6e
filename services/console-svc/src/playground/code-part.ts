import { codeFor, copyable, type Html, html, type PlaygroundKind } from '@tallyport/pages';

const languages = { curl: 'curl', python: 'Python', typescript: 'TypeScript', go: 'Go' } as const;

/** A request as code. The module `playground.js` keeps it up to date. */
export const codePart = (kind: PlaygroundKind, sent: { url: string; request: object }): Html =>
  html`<details class="panel padded code">
    <summary>As code</summary>
    <p class="quiet small">With a key of the account in the variable <code>TALLYPORT_API_KEY</code>.</p>
    ${(Object.keys(languages) as (keyof typeof languages)[]).map(
      (name) => html`<div id="code-${name}">${copyable(languages[name], codeFor[name](kind, sent))}</div>`,
    )}
  </details>`;
