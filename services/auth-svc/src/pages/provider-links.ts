import { type Html, html } from '@tallyport/pages';

export interface ProviderLink {
  /** Of the provider, for example `Acme`. */
  name: string;
  href: string;
}

/** Links to identity providers. Not forms: a form's policy would also apply to the redirects of the provider. */
export const providerLinks = (links: readonly ProviderLink[]): Html =>
  html`<div class="buttons">
    ${links.map(({ name, href }) => html`<a class="button" href="${href}">Sign in with ${name}</a>`)}
  </div>`;
