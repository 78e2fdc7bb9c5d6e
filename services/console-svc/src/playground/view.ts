import {
  chooser,
  codeFor,
  copyable,
  type FieldValues,
  formPart,
  type FormPart,
  heading,
  type Html,
  html,
} from '@switchyard/pages';
import type { PlaygroundKind } from '../gateway/gateway-api.ts';
import type { PlaygroundAnswer } from './answer.ts';

export interface PlaygroundPage {
  base: string;
  publicUrl: string;
  kind: PlaygroundKind;
  form: Pick<FormPart, 'action' | 'csrfToken' | 'state' | 'groups'>;
  hasModels: boolean;
  /** What the fields ask for, as code. */
  request: object;
  answer: PlaygroundAnswer | undefined;
}

export const playgroundPage = (page: PlaygroundPage): Html =>
  html`${heading({
      title: 'Playground',
      text: 'Ask up to three models at once. Requests count for you: they use the limits and budgets of the account, and are in your usage.',
    })}
    <div class="choosers">${chooser('Playground', kindLinks(page))}</div>
    ${
      page.hasModels
        ? html`<div class="playground">${formPart({ ...page.form, button: 'Send' })}</div>
            <noscript>
              <p class="quiet small">Without scripts, the first model answers, in one piece and within 25 seconds.</p>
            </noscript>
            <div id="answers" class="answers">${page.answer && answerPart(page.base, page.answer)}</div>
            ${codePart(page)}`
        : noModels(page)
    }`;

const kindLinks = ({ base, kind }: PlaygroundPage) =>
  (['chat', 'images'] as const).map((each) => ({
    text: each === 'chat' ? 'Chat' : 'Images',
    chosen: each === kind,
    href: `${base}/playground${each === 'chat' ? '' : '/images'}`,
  }));

const noModels = ({ base, kind }: PlaygroundPage): Html =>
  html`<div class="panel empty">
    <p>
      No model that makes ${kind === 'chat' ? 'texts' : 'images'} can be called yet.
      <a href="${base}/provider-keys/new">Add a provider key</a>, or see
      <a href="${base}/models?show=all">what is missing</a>.
    </p>
  </div>`;

const answerPart = (base: string, { model, text, toolCalls, images, facts, requestId }: PlaygroundAnswer): Html =>
  html`<section class="panel padded answer" aria-label="Answer of ${model}">
    <h2>${model}</h2>
    <p class="answer-text">${text}</p>
    ${toolCalls.map(
      (call) =>
        html`<p class="label">Calls ${call.name}</p>
          <pre tabindex="0">${call.arguments}</pre>`,
    )}
    ${images.map((source) =>
      source.startsWith('data:')
        ? html`<img src="${source}" alt="The image that ${model} made" />`
        : html`<p><a href="${source}" rel="noreferrer">Open the image</a></p>`,
    )}
    <dl class="facts">
      ${facts.map(
        ([name, value]) =>
          html`<dt>${name}</dt>
            <dd>${value}</dd>`,
      )}
      <dt>Request</dt>
      <dd><a href="${base}/requests?id=${requestId}">${requestId}</a></dd>
    </dl>
  </section>`;

const languages = { curl: 'curl', python: 'Python', typescript: 'TypeScript' } as const;

const codePart = ({ kind, publicUrl: url, request }: PlaygroundPage): Html =>
  html`<details class="panel padded code">
    <summary>As code</summary>
    <p class="quiet small">With a key of the account in the variable <code>SWITCHYARD_API_KEY</code>.</p>
    ${(Object.keys(languages) as (keyof typeof languages)[]).map(
      (name) => html`<div id="code-${name}">${copyable(languages[name], codeFor[name](kind, { url, request }))}</div>`,
    )}
  </details>`;

/** Models of the address, for a link such as `?models=a,b`. */
export function valuesOfAddress({ models = '', prompt }: FieldValues): FieldValues {
  const [model, model2, model3] = models.split(',');
  return {
    ...(model && { model }),
    ...(model2 && { model2 }),
    ...(model3 && { model3 }),
    ...(prompt !== undefined && { prompt }),
  };
}
