import { csrfField, hidden } from '../fields.ts';
import { type Html, html, type HtmlContent } from '../html.ts';
import type { FieldSpec, FieldValues } from './field-spec.ts';

/** The posted values of a form, and their problem. */
export interface FormState {
  values: FieldValues;
  problem?: { message: string; field?: string | undefined } | undefined;
}

interface FieldGroup {
  title?: string;
  text?: string;
  fields: readonly FieldSpec[];
  /** The group is shown only while this choice of another field is chosen, one of its first five. */
  onlyFor?: { name: string; value: string };
}

export interface FormPart {
  /** For buttons of the form that are elsewhere in the page. */
  id?: string | undefined;
  action: string;
  csrfToken: string;
  /** A token for forms that must take effect only once. */
  once?: string | undefined;
  /** Hidden fields. */
  kept?: FieldValues;
  state: FormState;
  groups: readonly FieldGroup[];
  /** Before the groups. */
  first?: HtmlContent;
  /** Beside the fields where there is room, and behind them elsewhere. */
  beside?: HtmlContent;
  button: string;
  cancel?: string | undefined;
}

/** A form of named fields, each with its problem next to it. */
export function formPart({ id, action, csrfToken, once, kept = {}, state, groups, ...parts }: FormPart): Html {
  const all = groups.flatMap(({ fields }) => fields);
  const marked = markedField(all, state.problem?.field);
  const { first, beside, button, cancel } = parts;
  return html`<form
    class="form ${beside !== undefined && 'has-beside'}"
    ${id !== undefined && html`id="${id}"`}
    method="post"
    action="${action}"
  >
    ${csrfField(csrfToken)} ${once !== undefined && hidden('once', once)} ${groups.map(secretMarks)}
    ${Object.entries(kept).map(([name, value]) => hidden(name, value))} ${state.problem && formNote(all, state.problem)}
    ${first}
    ${groups.map((each) =>
      groupPart(
        each,
        choiceOf(each, groups),
        each.fields.map((spec) => fieldPart(spec, state, spec.name === marked)),
      ),
    )}
    <div class="form-actions">
      <button>${button}</button>${cancel !== undefined && html`<a class="button plain" href="${cancel}">Cancel</a>`}
    </div>
    ${beside !== undefined && html`<div class="beside-fields">${beside}</div>`}
  </form>`;
}

const secretMark = 'secret:';

/** Names the secret fields, so that a page that keeps posted fields can leave them out. */
const secretMarks = ({ fields }: FormPart['groups'][number]): HtmlContent =>
  fields.filter(({ kind }) => kind === 'secret').map(({ name, label }) => hidden(secretMark + name, label));

/** The posted fields without secrets, and the labels of the secrets that were entered. */
export function splitSecrets(posted: FieldValues): { fields: FieldValues; secrets: string[] } {
  const entries = Object.entries(posted);
  const kept = entries.filter(([name]) => posted[secretMark + name] === undefined);
  const secrets = entries.filter(([name, value]) => value !== '' && posted[secretMark + name] !== undefined);
  return { fields: Object.fromEntries(kept), secrets: secrets.map(([name]) => posted[secretMark + name] ?? '') };
}

/** A form that consists of a single button. */
export const buttonForm = ({
  action,
  csrfToken,
  button,
  label,
  look = 'plain',
  fields = {},
}: {
  action: string;
  csrfToken: string;
  button: string;
  /** The accessible name, if the button's text does not say what it acts on. */
  label?: string;
  /** `link` looks like a link. */
  look?: 'plain' | 'link';
  fields?: FieldValues;
}): Html =>
  html`<form class="inline" method="post" action="${action}">
    ${csrfField(csrfToken)} ${Object.entries(fields).map(([name, value]) => hidden(name, value))}
    <button class="${look}" ${label !== undefined && html`aria-label="${label}"`}>${button}</button>
  </form>`;

/** The field with the problem; for a problem of a whole member such as `limits`, the first of its fields. */
function markedField(fields: readonly FieldSpec[], field: string | undefined): string | undefined {
  if (field === undefined) return undefined;
  const names = fields.map(({ name }) => name);
  return names.find((name) => name === field) ?? names.find((name) => name.startsWith(`${field}.`));
}

/** The problem of a form with these fields, unless one of them shows it. */
export function formNote(fields: readonly FieldSpec[], { message, field }: NonNullable<FormState['problem']>): Html {
  const text = markedField(fields, field) === undefined ? message : 'Correct the marked field below.';
  return html`<p class="note bad" role="alert">${text}</p>`;
}

/** Fields of a form that has its own order, each with its problem next to it. */
export function fieldParts(fields: readonly FieldSpec[], state: FormState): Html {
  const marked = markedField(fields, state.problem?.field);
  return html`<div class="fields">${fields.map((spec) => fieldPart(spec, state, spec.name === marked))}</div>`;
}

/** The place of the choice that shows a group, which the style sheet compares with the chosen one. */
function choiceOf({ onlyFor }: FieldGroup, groups: FormPart['groups']): string {
  if (onlyFor === undefined) return '';
  const spec = groups.flatMap(({ fields }) => fields).find(({ name }) => name === onlyFor.name);
  return `only-for-${(spec?.choices ?? []).findIndex(({ value }) => value === onlyFor.value) + 1}`;
}

const groupPart = ({ title, text }: FieldGroup, choice: string, fields: HtmlContent): Html =>
  title === undefined
    ? html`<div class="fields ${choice}">${fields}</div>`
    : html`<fieldset class="${choice}">
        <legend>${title}</legend>
        ${text !== undefined && html`<p class="hint">${text}</p>`}
        <div class="fields">${fields}</div>
      </fieldset>`;

function fieldPart(spec: FieldSpec, { values, problem }: FormState, isMarked: boolean): Html {
  const { name, hint } = spec;
  const wrong = isMarked ? problem?.message : undefined;
  const value = values[name] ?? spec.initial ?? '';
  return html`<div class="field field-${spec.kind}">
    ${labelled(spec, attributesOf(spec, wrong !== undefined), value)}
    ${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
    ${wrong !== undefined && html`<p class="wrong" id="${name}-problem">${wrong}</p>`}
  </div>`;
}

function attributesOf({ name, hint, required }: FieldSpec, isWrong: boolean): Html {
  const described = [...(hint === undefined ? [] : [`${name}-hint`]), ...(isWrong ? [`${name}-problem`] : [])];
  return html`id="${name}" name="${name}" ${required && html`required`}
  ${described.length > 0 && html`aria-describedby="${described.join(' ')}"`}
  ${isWrong && html`aria-invalid="true" autofocus`}`;
}

function labelled(spec: FieldSpec, attributes: Html, value: string): Html {
  const { name, label, kind, unit } = spec;
  if (kind !== 'flag') {
    return html`<label for="${name}"
        >${label}${unit !== undefined && html` <span class="quiet">(${unit})</span>`}</label
      >
      ${control(spec, attributes, value)}`;
  }
  const checked = value !== '' && html`checked`;
  return html`<label class="flag"><input type="checkbox" value="yes" ${attributes} ${checked} />${label}</label>`;
}

function control(spec: FieldSpec, attributes: Html, value: string): Html {
  const { kind, name, placeholder, choices = [], suggestions, autocomplete = 'off' } = spec;
  const shared = html`${attributes} autocomplete="${autocomplete}"
  ${placeholder !== undefined && html`placeholder="${placeholder}"`}`;
  switch (kind) {
    case 'lines':
      return textArea(3, shared, value);
    case 'document':
      return textArea(8, shared, value);
    case 'choice':
      return html`<select ${attributes}>
        ${choices.map(
          ({ value: choice, text }) =>
            html`<option value="${choice}" ${choice === value && html`selected`}>${text}</option>`,
        )}
      </select>`;
    case 'number':
      return numberInput(spec, shared, value);
    case 'secret':
      return html`<input type="password" value="" ${shared} />`;
    default:
      return html`<input
          type="${inputTypes[kind] ?? 'text'}"
          value="${value}"
          ${suggestions && html`list="${name}-suggestions"`}
          ${shared}
        />
        ${
          suggestions &&
          html`<datalist id="${name}-suggestions">
            ${suggestions.map((text) => html`<option value="${text}"></option>`)}
          </datalist>`
        }`;
  }
}

/** Of fields whose value is a single line. */
const inputTypes: Partial<Record<FieldSpec['kind'], string>> = { day: 'date', time: 'datetime-local', email: 'email' };

const textArea = (rows: number, attributes: Html, value: string): Html =>
  html`<textarea ${attributes} rows="${rows}" spellcheck="false">${value}</textarea>`;

const numberInput = ({ decimals }: FieldSpec, shared: Html, value: string): Html =>
  decimals === true
    ? html`<input type="text" inputmode="decimal" pattern="\\d*\\.?\\d*" value="${value}" ${shared} />`
    : html`<input type="text" inputmode="numeric" pattern="\\d*" value="${value}" ${shared} />`;
