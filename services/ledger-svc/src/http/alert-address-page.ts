import { type Html, html, layout } from '@tallyport/pages';

interface AlertAddressPage {
  /** The path of this page, to which the form is posted. */
  action: string;
  email: string;
  accountName: string;
}

/** Asks before it confirms, because programs that check mail open every link. */
export const alertAddressPage = ({ action, email, accountName }: AlertAddressPage): Html =>
  layout({
    title: 'Get alerts',
    body: html` <div class="card">
      <h1>Get alerts</h1>
      <p class="quiet">Alerts of the account ${accountName} will be sent to this address.</p>
      <form method="post" action="${action}">
        <div class="field"><span class="label">E-mail</span>${email}</div>
        <button class="whole">Send me alerts</button>
      </form>
    </div>`,
  });
