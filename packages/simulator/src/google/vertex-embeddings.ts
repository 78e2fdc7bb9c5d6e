import {
  type ArrivedRequest,
  isObject,
  jsonOf,
  type JsonObject,
  jsonReply,
  meteredInput,
  type RouteAnswer,
  vectorOf,
} from '@tallyport/sandbox';
import { googleErrorReply, googleInvalid, googleUnknownModel, type GoogleError } from './errors.ts';

const taskTypes = [
  'RETRIEVAL_QUERY',
  'RETRIEVAL_DOCUMENT',
  'SEMANTIC_SIMILARITY',
  'CLASSIFICATION',
  'CLUSTERING',
  'QUESTION_ANSWERING',
  'FACT_VERIFICATION',
  'CODE_RETRIEVAL_QUERY',
];

interface Texts {
  readonly model: string;
  readonly texts: readonly string[];
  readonly dimensions: unknown;
  readonly error: GoogleError | undefined;
}

/** Serves `predict`: up to 250 texts, one for Gemini's own model. */
export function answerPredict(request: ArrivedRequest): RouteAnswer {
  const { model, body } = read(request);
  const instances = Array.isArray(body.instances) ? body.instances.filter(isObject) : [];
  const parameters = isObject(body.parameters) ? body.parameters : {};
  const most = model.startsWith('gemini') ? 1 : 250;
  const tasks = instances.flatMap(({ task_type: task }) => (task === undefined ? [] : [String(task)]));
  const error =
    instances.length === 0 || instances.length > most || tasks.some((task) => !taskTypes.includes(task))
      ? googleInvalid(`${instances.length} instance(s) is not allowed or has an unknown task type.`)
      : undefined;
  const texts = instances.map(({ content }) => String(content ?? ''));
  return answer({ model, texts, dimensions: parameters.outputDimensionality, error }, (embeddings) => ({
    predictions: embeddings.map(({ values, tokens }) => ({
      embeddings: { values, statistics: { token_count: tokens, truncated: false } },
    })),
    metadata: { billableCharacterCount: texts.join('').length },
  }));
}

/** Serves `embedContent`: one text. */
export function answerVertexEmbed(request: ArrivedRequest): RouteAnswer {
  const { model, body } = read(request);
  const { content, embedContentConfig: config } = body;
  const parts = isObject(content) && Array.isArray(content.parts) ? content.parts.filter(isObject) : [];
  const texts = [parts.map(({ text }) => String(text ?? '')).join('')];
  const dimensions = isObject(config) ? config.outputDimensionality : undefined;
  const error = /^gemini-embedding-[2-9]/.test(model) ? undefined : googleUnknownModel(model);
  return answer({ model, texts, dimensions, error }, ([only]) => ({
    embedding: { values: only?.values },
    usageMetadata: { promptTokenCount: only?.tokens },
  }));
}

interface Embedded {
  values: number[];
  tokens: number;
}

function answer({ model, texts, dimensions, error }: Texts, write: (embedded: Embedded[]) => object): RouteAnswer {
  const whole = model.startsWith('gemini') ? 3_072 : 768;
  const cut = Number(dimensions ?? whole);
  const fault = error ?? findFault(model, texts) ?? (cut > whole ? googleInvalid('outputDimensionality') : undefined);
  if (fault) return { model, answer: googleErrorReply(fault) };
  const embedded = texts.map((text) => ({
    values: [...vectorOf(text, whole).subarray(0, cut)],
    tokens: Math.ceil(text.length / 4),
  }));
  const tokens = embedded.reduce((sum, each) => sum + each.tokens, 0);
  return { model, metered: meteredInput(tokens), answer: jsonReply(200, write(embedded)) };
}

function findFault(model: string, texts: readonly string[]): GoogleError | undefined {
  if (!/embedding/.test(model)) return googleUnknownModel(model);
  return texts.includes('') ? googleInvalid('The text content is empty.') : undefined;
}

function read({ path, body: bytes }: ArrivedRequest): { model: string; body: JsonObject } {
  const body = jsonOf(bytes.toString());
  return { model: decodeURIComponent(/models\/([^/:]+):/.exec(path)?.[1] ?? ''), body: isObject(body) ? body : {} };
}
