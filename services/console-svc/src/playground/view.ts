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
  type HtmlContent,
  type PlaygroundTurn,
} from '@tallyport/pages';
import type { PlaygroundKind } from '../gateway/gateway-api.ts';
import { playgroundAddress } from './address.ts';
import type { PlaygroundAnswer } from './answer.ts';

interface PlaygroundPage {
  base: string;
  publicUrl: string;
  kind: PlaygroundKind;
  form: Pick<FormPart, 'action' | 'csrfToken' | 'kept' | 'state' | 'groups'>;
  hasModels: boolean;
  /** What the fields ask for, as code. */
  request: object;
  /** The turns before the answer. */
  turns: readonly PlaygroundTurn[];
  answered: AnsweredTurn | undefined;
}

export interface AnsweredTurn {
  prompt: string;
  answer: PlaygroundAnswer;
  /** Whether the conversation can be continued from it. */
  isKept: boolean;
}

export const playgroundPage = (page: PlaygroundPage): Html =>
  html`${heading({
      title: 'Playground',
      text: 'Talk to up to three models at once. Requests count for you: they use the limits and budgets of the account, and are in your usage.',
    })}
    <div class="choosers">
      ${chooser('Playground', kindLinks(page))}
      ${page.kind === 'chat' && html`<a class="small" href="${newAddress(page)}">New conversation</a>`}
    </div>
    ${
      page.hasModels
        ? html`${conversationPart(page)} ${turnTemplate(page)}
            <div class="playground">${formPart({ ...page.form, id: 'playground', button: 'Send' })}</div>
            <noscript>
              <p class="quiet small">Without scripts, the first model answers, in one piece and within 25 seconds.</p>
            </noscript>
            ${codePart(page)}`
        : noModels(page)
    }`;

const kindLinks = ({ base, kind }: PlaygroundPage) =>
  (['chat', 'images'] as const).map((each) => ({
    text: each === 'chat' ? 'Chat' : 'Images',
    chosen: each === kind,
    href: `${base}/playground${each === 'chat' ? '' : '/images'}`,
  }));

/** This page with the same models, and nothing else. */
const newAddress = ({ base, kind, form: { state } }: PlaygroundPage): string => {
  const { model = '', model2 = '', model3 = '' } = state.values;
  return playgroundAddress(base, kind, [model, model2, model3].filter(Boolean));
};

const noModels = ({ base, kind }: PlaygroundPage): Html =>
  html`<div class="panel empty">
    <p>
      No model that makes ${kind === 'chat' ? 'texts' : 'images'} can be called yet.
      <a href="${base}/provider-keys/new">Add a provider key</a>, or see
      <a href="${base}/models?show=all">what is missing</a>.
    </p>
  </div>`;

const conversationPart = ({ base, kind, turns, answered }: PlaygroundPage): Html =>
  html`<ol id="conversation" class="conversation">
    ${turns.map(({ prompt, answers }, at) =>
      turnPart({
        prompt,
        at,
        answers: Object.entries(answers).map(([model, text]) =>
          answerPart({ model, at, content: text === null ? noAnswer : html`<p class="answer-text">${text}</p>` }),
        ),
      }),
    )}
    ${
      answered &&
      turnPart({
        prompt: answered.prompt,
        at: answered.isKept ? turns.length : undefined,
        answers: [
          answerPart({ model: answered.answer.model, at: turns.length, content: wholeAnswer(base, answered.answer) }),
          kind === 'chat' && !answered.isKept && notKept,
        ],
      })
    }
  </ol>`;

/** What the module `playground.js` fills for each message. */
const turnTemplate = ({ kind }: PlaygroundPage): Html =>
  html`<template id="turn">${turnPart({ prompt: '', at: kind === 'chat' ? 0 : undefined, answers: '' })}</template>`;

const noAnswer = html`<p class="quiet">No answer.</p>`;

const notKept = html`<p class="quiet small">
  The conversation cannot continue from this answer: it has no text, or is too long for a form.
</p>`;

interface TurnPart {
  prompt: string;
  /** Its place, if it can be written anew. */
  at: number | undefined;
  answers: HtmlContent;
}

const turnPart = ({ prompt, at, answers }: TurnPart): Html =>
  html`<li class="turn">
    <div class="said">
      <p class="answer-text">${prompt}</p>
      ${
        at !== undefined &&
        html`<button class="link small" form="playground" name="edit" value="${at}" formnovalidate>
          Edit<span class="unseen"> message ${at + 1}</span>
        </button>`
      }
    </div>
    <div class="answers">${answers}</div>
  </li>`;

const answerPart = ({ model, at, content }: { model: string; at: number; content: Html }): Html =>
  html`<section class="panel padded answer" aria-label="Answer ${at + 1} of ${model}">
    <h2>${model}</h2>
    ${content}
  </section>`;

const wholeAnswer = (base: string, { model, text, toolCalls, images, facts, requestId }: PlaygroundAnswer): Html =>
  html`<p class="answer-text">${text}</p>
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
    </dl>`;

const languages = { curl: 'curl', python: 'Python', typescript: 'TypeScript' } as const;

const codePart = ({ kind, publicUrl: url, request }: PlaygroundPage): Html =>
  html`<details class="panel padded code">
    <summary>As code</summary>
    <p class="quiet small">With a key of the account in the variable <code>TALLYPORT_API_KEY</code>.</p>
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
