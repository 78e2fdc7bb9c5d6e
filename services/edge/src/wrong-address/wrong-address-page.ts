import type { GatewayError } from '@tallyport/contracts';
import { errorMessage, type Html, html, layout, messagePage } from '@tallyport/pages';

const reference = { href: '/docs', text: 'API reference' };

/** What a browser shows for an address that does not exist, or that does not support its method. */
export const wrongAddressPage = (error: GatewayError): Html => messagePage({ ...errorMessage(error), link: reference });

/** The same for the start of addresses, such as the base URL. */
export const startPage = (path: string, listed: readonly string[]): Html =>
  layout({
    title: 'The start of addresses',
    body: html` <div class="card">
      <h1>Addresses begin with <code>${path}</code></h1>
      <p>This one is for programs: a client takes it as its base URL and calls these.</p>
      <ul>
        ${listed.map((name) => html`<li><code>${name}</code></li>`)}
      </ul>
      <p><a href="${reference.href}">${reference.text}</a></p>
    </div>`,
  });
