import { type Html, html, layout } from '@tallyport/pages';

/** Says where the link for the first owner is. The link itself is shown only to the operator. */
export const noOwner: Html = html`This gateway has no owner yet. Open the link that <code>npm start</code> printed (in
  production, auth-svc logs it).`;

/** Shown at a link for the first owner that does not work. */
export const noOwnerPage: Html = layout({
  title: 'No owner yet',
  body: html` <div class="card">
    <h1>This link does not work any more</h1>
    <p>${noOwner}</p>
  </div>`,
});
