import { type Html, html } from './html.ts';
import { maskToken } from './http/csrf-mask.ts';

export const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}" />`;

/** The token that proves that a form comes from a page of this session. */
export const csrfField = (token: string): Html => hidden('csrf_token', maskToken(token));

interface Field {
  name: string;
  label: string;
  type: 'email' | 'password' | 'text';
  /** The `autocomplete` value for browsers and password managers. */
  autocomplete: string;
  value?: string | undefined;
  hint?: string;
  minLength?: number;
  focus?: boolean;
}

export const field = ({ name, label, type, autocomplete, value, hint, minLength, focus = false }: Field): Html =>
  html` <div class="field">
    <label for="${name}">${label}</label>
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      autocomplete="${autocomplete}"
      value="${value ?? ''}"
      required
      ${minLength !== undefined && html`minlength="${minLength}"`}
      ${hint !== undefined && html`aria-describedby="${name}-hint"`}
      ${focus && html`autofocus`}
    />
    ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
  </div>`;

export const problem = (message: string | undefined): Html | undefined =>
  message === undefined ? undefined : html`<p class="note bad" role="alert">${message}</p>`;
