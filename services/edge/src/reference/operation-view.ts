import { badge, copyable, type Html, html, type Tone } from '@tallyport/pages';
import { type Answer, nameOf, type ReferenceOperation, type ReferenceDocument } from './document.ts';
import { examplesOf } from './examples.ts';
import { firstSentence, inline, prose } from './prose.ts';
import { fieldView, schemaView } from './schema-view.ts';

export interface OperationContext {
  document: ReferenceDocument;
  /** The address of this gateway. */
  origin: string;
}

export const operationView = (operation: ReferenceOperation, context: OperationContext): Html =>
  html`<section class="panel padded operation" id="${operation.operationId}">
    <div>
      <h2><a href="#${operation.operationId}">${inline(firstSentence(operation.summary))}</a></h2>
      <p class="address">${methodBadge(operation)} <code>${breakable(operation.path)}</code></p>
      ${restOf(operation.summary)} ${operation.description !== undefined && prose(operation.description)}
      ${operation.security.length === 0 && html`<p class="quiet small">Needs no key.</p>`}
      ${parametersPart(operation, context)} ${bodyPart(operation, context)} ${answersPart(operation, context)}
    </div>
    <div class="examples">${examplesPart(operation, context)}</div>
  </section>`;

/** What a summary says after its first sentence, which is the title. */
function restOf(summary: string): Html[] | undefined {
  const rest = summary.slice(firstSentence(summary).length).trim();
  return rest === '' ? undefined : prose(rest);
}

const tones: Readonly<Record<string, Tone>> = { GET: 'plain', POST: 'good', PATCH: 'warn', DELETE: 'bad' };

export const methodBadge = ({ method }: Pick<ReferenceOperation, 'method'>): Html => badge(method, tones[method]);

/** Long paths break after a slash. */
const breakable = (path: string): Html[] => path.split(/(?<=\/)/).map((part) => html`${part}<wbr />`);

function parametersPart({ parameters = [] }: ReferenceOperation, { document }: OperationContext): Html[] {
  const kinds = { path: 'In the path', query: 'Query parameters', header: 'Headers' } as const;
  return (Object.keys(kinds) as (keyof typeof kinds)[]).flatMap((kind) => {
    const found = parameters.filter((parameter) => parameter.in === kind);
    if (found.length === 0) return [];
    return html`<h3>${kinds[kind]}</h3>
      <ul class="members">
        ${found.map(({ name, schema, description, required: isRequired = false }) =>
          fieldView({ name, schema, description, isRequired }, document.components.schemas),
        )}
      </ul>`;
  });
}

const bodyPart = ({ requestBody }: ReferenceOperation, { document }: OperationContext): Html[] =>
  Object.entries(requestBody?.content ?? {}).map(
    ([type, { schema }]) =>
      html`<h3>Body <span class="quiet small">${type}</span></h3>
        ${schema.description !== undefined && html`<p class="small">${inline(schema.description)}</p>`}
        ${schemaView(schema, document.components.schemas)}`,
  );

function answersPart({ responses }: ReferenceOperation, { document }: OperationContext): Html {
  const answers = Object.entries(responses).map(([status, answer]) => ({ status, answer: resolved(answer, document) }));
  const good = answers.filter(({ status }) => Number(status) < 400);
  const errors = answers.filter(({ status }) => Number(status) >= 400);
  return html`<h3>Answers</h3>
    ${good.map(
      ({ status, answer }) =>
        html`<p class="answer-line">${badge(status, 'good')} ${inline(answer.description ?? '')}</p>
          ${contentPart(answer, document)}`,
    )}
    ${
      errors.length > 0 &&
      html`<details>
        <summary>Errors: ${[...new Set(errors.map(({ status }) => status))].join(', ')}</summary>
        <ul class="members">
          ${errors.map(
            ({ status, answer }) => html`<li>${badge(status, 'bad')} ${prose(answer.description ?? '')}</li>`,
          )}
        </ul>
      </details>`
    }`;
}

const resolved = (answer: Answer, { components }: ReferenceDocument): Answer =>
  answer.$ref === undefined ? answer : (components.responses[nameOf(answer.$ref)] ?? answer);

const contentPart = ({ content = {} }: Answer, { components }: ReferenceDocument): Html[] =>
  Object.entries(content).map(([type, { schema }]) => {
    const members = schemaView(schema, components.schemas);
    return members === undefined
      ? html`<p class="quiet small">${type}</p>`
      : html`<details>
          <summary>${type}</summary>
          ${members}
        </details>`;
  });

function examplesPart(operation: ReferenceOperation, context: OperationContext): Html {
  const [first, ...others] = examplesOf(operation, context).map(({ language, code }) =>
    codePart(operation, { language, code }),
  );
  return html`${first?.code}
  ${others.map(
    ({ language, code }) =>
      html`<details>
        <summary>${language}</summary>
        ${code}
      </details>`,
  )}
  ${otherBodies(operation)}`;
}

const codePart = ({ operationId }: ReferenceOperation, { language, code }: { language: string; code: string }) => ({
  language,
  code: copyable(`${language}: ${operationId}`, code),
});

/** The examples after the first one, which the code sends. */
const otherBodies = ({ operationId, requestBody }: ReferenceOperation): Html[] =>
  Object.values(requestBody?.content ?? {}).flatMap(({ examples = {} }) =>
    Object.values(examples)
      .slice(1)
      .map(
        ({ summary, value }) =>
          html`<details>
            <summary>${summary}</summary>
            ${copyable(`Body: ${operationId}, ${summary}`, JSON.stringify(value, undefined, 2))}
          </details>`,
      ),
  );
