import { type Html, html } from '@tallyport/pages';
import { parts } from './rule-fields.ts';
import { type TriedText, verdict } from './view.ts';

/** Fields of the form of rules that are not rules. */
export const unsavedText = 'try.text';
export const unsavedPart = 'try.part';
export const unsavedButton = 'try';

/** Tries the rules of the form in which it is, before they are saved. */
export const tryBox = ({
  text,
  part,
  tried,
}: {
  text: string;
  part: string | undefined;
  tried: TriedText | undefined;
}): Html =>
  html`<h2>Try before you save</h2>
    ${tried && verdict(tried)}
    <div class="field">
      <label for="${unsavedText}">Text</label>
      <textarea id="${unsavedText}" name="${unsavedText}" rows="5" placeholder="My card is 4111 1111 1111 1111">
${text}</textarea>
    </div>
    <div class="field">
      <label for="${unsavedPart}">Apply the rules of</label>
      <select id="${unsavedPart}" name="${unsavedPart}">
        ${parts.map(
          ({ part: value, title }) =>
            html`<option value="${value}" ${value === part && html`selected`}>${title.toLowerCase()}</option>`,
        )}
      </select>
    </div>
    <button class="plain" name="${unsavedButton}" value="yes">Try these rules</button>
    <p class="hint">Nothing is saved, and nothing is sent to a provider or to a webhook.</p>`;
