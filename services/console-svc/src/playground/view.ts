import {
  chooser,
  csrfField,
  fieldParts,
  type FieldValues,
  formNote,
  type FormPart,
  heading,
  hidden,
  type Html,
  html,
  type HtmlContent,
  type PlaygroundKind,
  type PlaygroundTurn,
} from '@tallyport/pages';
import { modelNames, playgroundAddress, playgroundKinds, playgrounds } from './address.ts';
import type { PlaygroundAnswer } from './answer.ts';
import { codePart } from './code-part.ts';
import { modelFields, parameterFields, promptField } from './fields.ts';

interface PlaygroundPage {
  base: string;
  publicUrl: string;
  kind: PlaygroundKind;
  /** What the person should know before they send. */
  notes: readonly string[];
  form: Pick<FormPart, 'action' | 'csrfToken' | 'state'> & { kept: FieldValues };
  models: readonly { value: string; text: string }[];
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
      text: 'Ask up to three models at once. Requests count for you: they use the limits and budgets of the account, and are in your usage.',
    })}
    <div class="choosers">
      ${chooser('Playground', kindLinks(page))}
      <a class="small" id="new-conversation" href="${newAddress(page)}"
        >${page.kind === 'chat' ? 'New conversation' : 'Start again'}</a
      >
    </div>
    ${page.notes.map((text) => html`<p class="note warn">${text}</p>`)}
    ${
      page.models.length > 0
        ? html`${turnTemplate(page)} ${form(page)}
            <noscript>
              <p class="quiet small">Without scripts, the first model answers, in one piece and within 25 seconds.</p>
            </noscript>
            ${codePart(page.kind, { url: page.publicUrl, request: page.request })}`
        : noModels(page)
    }`;

/** The models, the conversation, and below it what stays in sight: the message and its parameters. */
function form(page: PlaygroundPage): Html {
  const { kind, models, form: sent } = page;
  const { state, kept } = sent;
  const prompt = promptField(kind);
  const parameters = parameterFields(kind);
  return html`<form class="form playground" id="playground" method="post" action="${sent.action}">
    <button class="unseen" tabindex="-1" aria-hidden="true">Send</button>
    ${csrfField(sent.csrfToken)} ${Object.entries(kept).map(([name, value]) => hidden(name, value))}
    ${fieldParts(modelFields(models), state)} ${conversationPart(page)}
    <div class="composer">
      ${state.problem && formNote([prompt, ...parameters], state.problem)}
      ${
        parameters.length > 0 &&
        html`<details class="parameters" ${parameters.some(({ name }) => name === state.problem?.field) && html`open`}>
          <summary>Parameters</summary>
          <p class="hint">Empty fields are left to the model.</p>
          ${fieldParts(parameters, state)}
        </details>`
      }
      <div class="composing">
        ${fieldParts([prompt], state)}
        <div class="composing-buttons"><button id="send">Send</button></div>
      </div>
    </div>
  </form>`;
}

const kindLinks = ({ base, kind }: PlaygroundPage) =>
  playgroundKinds.map((each) => ({
    text: playgrounds[each].title,
    chosen: each === kind,
    href: base + playgrounds[each].path,
  }));

/** This page with the same models and system text, and nothing else. */
const newAddress = ({ base, kind, form: { state } }: PlaygroundPage): string => {
  const models = modelNames.flatMap((name) => state.values[name] || []);
  return playgroundAddress({ base, kind }, models, state.values['system']);
};

const makes = {
  chat: 'texts',
  images: 'images',
  embeddings: 'embeddings',
  speech: 'speech',
} as const satisfies Record<PlaygroundKind, string>;

const noModels = ({ base, kind }: PlaygroundPage): Html =>
  html`<div class="panel empty">
    <p>
      No model that makes ${makes[kind]} can be called yet.
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

const wholeAnswer = (
  base: string,
  { model, text, toolCalls, images, speech, facts, requestId }: PlaygroundAnswer,
): Html =>
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
    ${speech !== undefined && html`<p><a href="${speech}" download="speech">Save the speech</a></p>`}
    <dl class="facts">
      ${facts.map(
        ([name, value]) =>
          html`<dt>${name}</dt>
            <dd>${value}</dd>`,
      )}
      <dt>Request</dt>
      <dd><a href="${base}/requests?id=${requestId}">${requestId}</a></dd>
    </dl>`;
