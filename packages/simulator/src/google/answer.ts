import {
  piece,
  type PieceKind,
  type Piece,
  type Choice,
  argumentsIn,
  type SpokenPart,
  spokenParts,
  splitWords,
} from '@tallyport/sandbox';
import { signThought } from '../thought-signature.ts';
import { promptDetails } from './audio-tokens.ts';
import { googleEvent } from './dialect.ts';
import type { ImageEnding } from './image-choice.ts';
import { type GoogleUse, promptOf, trafficOf } from './usage.ts';
import { signatureOfCall } from './signature-strictness.ts';

export interface GoogleAnswer {
  readonly id: string;
  readonly model: string;
  readonly choices: readonly Choice[];
  readonly use: GoogleUse;
  /** The vendor's host: each has signatures of its own. */
  readonly host: string;
  /** Whether the model signs its thinking. */
  readonly signs: boolean;
  /** For answers that end in a way chats do not. */
  readonly ending?: ImageEnding | undefined;
}

type PartOf = Readonly<Record<string, unknown>>;

export const googleAnswer = (script: GoogleAnswer) => ({
  candidates: script.choices.map((choice, index) => ({
    index,
    content: { role: 'model', parts: partsOf(choice, script) },
    ...endOf(choice, script),
  })),
  ...tailOf(script, true),
});

function partsOf(choice: Choice, { signs, host }: GoogleAnswer): PartOf[] {
  const { reasoning, images } = choice;
  const signatureOf = ({ call, index }: Extract<SpokenPart, { kind: 'call' }>) =>
    signs && index === 0 ? signatureOfCall(call.name, host) : undefined;
  return [
    ...(reasoning === '' ? [] : [{ text: reasoning, thought: true }]),
    ...spokenParts(choice).map((part) =>
      part.kind === 'text' ? textPart(part.text, signs && reasoning !== '') : callPart(part.call, signatureOf(part)),
    ),
    ...images.map(({ mediaType, base64, draft }) => ({
      inlineData: { mimeType: mediaType, data: base64 },
      ...(draft === true && { thought: true }),
      ...(signs && { thoughtSignature: signThought(base64.slice(0, 1_000)) }),
    })),
  ];
}

const textPart = (text: string, signed: boolean): PartOf => ({
  text,
  ...(signed && { thoughtSignature: signThought(text) }),
});

/** Only the first call of a step is signed, and calls have no ids. */
const callPart = (call: Choice['toolCalls'][number], signature: string | undefined): PartOf => ({
  functionCall: { name: call.name, args: argumentsIn(call) },
  ...(signature !== undefined && { thoughtSignature: signature }),
});

const finishReasons = { stop: 'STOP', length: 'MAX_TOKENS', tool_calls: 'STOP', refusal: 'SAFETY' } as const;

function endOf({ finishReason, refusal, citations, content }: Choice, { ending, use: { searches } }: GoogleAnswer) {
  if (ending !== undefined) return ending;
  return {
    finishReason: finishReasons[finishReason],
    ...(refusal !== null && { finishMessage: refusal }),
    ...(citations.length + searches.length > 0 && {
      groundingMetadata: {
        ...(searches.length > 0 && { webSearchQueries: searches }),
        ...(citations.length > 0 && groundingOf(citations, content ?? '')),
      },
    }),
  };
}

const groundingOf = (citations: Choice['citations'], content: string) => ({
  groundingChunks: citations.map(({ url, title }) => ({ web: { uri: url, title } })),
  groundingSupports: citations.map((_, index) => ({
    segment: { startIndex: 0, endIndex: content.length, text: content },
    groundingChunkIndices: [index],
  })),
});

const tailOf = (script: GoogleAnswer, complete: boolean) => ({
  usageMetadata: usageOf(script, complete),
  modelVersion: script.model,
  responseId: script.id,
});

/** Thinking is counted separately from the answer; zero counts are left out. */
function usageOf({ use, host }: GoogleAnswer, complete: boolean) {
  const { spent, imageTokens, toolTokens } = use;
  const prompt = promptOf(use);
  const visible = complete ? spent.visible + imageTokens : 0;
  return {
    promptTokenCount: prompt,
    ...(spent.cacheRead > 0 && { cachedContentTokenCount: spent.cacheRead }),
    ...(visible > 0 && { candidatesTokenCount: visible }),
    ...(spent.reasoning > 0 && { thoughtsTokenCount: spent.reasoning }),
    ...(toolTokens > 0 && {
      toolUsePromptTokenCount: toolTokens,
      toolUsePromptTokensDetails: [{ modality: 'TEXT', tokenCount: toolTokens }],
    }),
    totalTokenCount: prompt + visible + spent.reasoning + toolTokens,
    ...promptDetails(spent, use.audio),
    ...(complete && imageTokens > 0 && { candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: imageTokens }] }),
    ...trafficOf(host, use),
    ...use.unknown,
  };
}

interface Chunk {
  readonly part: PieceKind;
  readonly data: object;
}

/** Each event has the form of a whole answer, with only the new parts; usage is repeated and grows. */
function chunksOf(script: GoogleAnswer): Chunk[] {
  const chunks = script.choices.flatMap((choice, index) => {
    const parts = deltasOf(choice, script).map((part) => ({
      part: 'delta' as const,
      data: { candidates: [{ index, content: { role: 'model', parts: [part] } }], ...tailOf(script, false) },
    }));
    const end = {
      index,
      content: choice.refusal === null ? { role: 'model', parts: [{ text: '' }] } : {},
      ...endOf(choice, script),
    };
    return [...parts, { part: 'finish' as const, data: { candidates: [end], ...tailOf(script, true) } }];
  });
  return chunks;
}

/** A signature is sent with the last piece of its text. */
function deltasOf(choice: Choice, script: GoogleAnswer): PartOf[] {
  return partsOf(choice, script).flatMap(({ thoughtSignature, ...part }): PartOf[] => {
    const signed = { ...part, ...(thoughtSignature !== undefined && { thoughtSignature }) };
    if (typeof part.text !== 'string') return [signed];
    const pieces = splitWords(part.text);
    return pieces.map((text, index) => ({ ...(index === pieces.length - 1 ? signed : part), text }));
  });
}

export const googleEvents = (script: GoogleAnswer): Piece[] =>
  chunksOf(script).map(({ part, data }) => googleEvent(part, data));

export function arrayOf(script: GoogleAnswer): Piece[] {
  const chunks = chunksOf(script).map(({ part, data }, index) =>
    piece(part, `${index === 0 ? '[' : ',\r\n'}${JSON.stringify(data)}`),
  );
  return [...chunks, piece('done', ']')];
}
