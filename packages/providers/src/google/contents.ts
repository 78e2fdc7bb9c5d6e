import { type GeminiContent, type GeminiPart, parseExactJson } from '@tallyport/wire';
import type { AssistantTurn, Conversation, Turn } from '../conversation/conversation.ts';
import { lastQuestion } from '../conversation/questions.ts';
import type { EarlierCall } from '../conversation/calls.ts';
import type { Result } from '../conversation/results.ts';
import { saidInOrder } from '../conversation/said-in-order.ts';
import type { CallSignatures } from '../spec/call-signatures.ts';
import { isMembers, type Members } from '../read.ts';
import type { GeminiRules } from './models.ts';
import { imagePart, toPart } from './parts.ts';
import { callSignatures, textSignature } from './kept-signatures.ts';
import { signatureInExtra } from './signatures.ts';

interface Contents {
  instructions: { text: string }[];
  contents: GeminiContent[];
}

interface ContentsOptions {
  conversation: Conversation;
  rules: GeminiRules;
  signatures: CallSignatures;
}

/** Converts turns to contents. Instructions are separate if the model supports that. */
export function toContents({ conversation, rules, signatures }: ContentsOptions): Contents {
  const instructions = conversation.instructions.map(({ text }) => ({ text }));
  const contents = contentsOf({ conversation, rules, signatures });
  const separate = rules.instructions && contents.length > 0;
  if (!separate && instructions.length > 0) instruct(contents, instructions);
  return { instructions: separate ? instructions : [], contents };
}

function contentsOf({ conversation: { turns }, rules, signatures }: ContentsOptions): GeminiContent[] {
  const contents: GeminiContent[] = [];
  const question = lastQuestion(turns);
  for (const [index, turn] of turns.entries()) {
    // The vendor checks signatures only behind the last question.
    const parts = partsOf(turn, signatures, rules.signatures && index > question);
    const last = contents.at(-1);
    if (parts.length === 0) continue;
    // What a user says right behind the results of tools belongs to them: on its own it would begin a question.
    const isContinued = turn.role === 'assistant' ? last?.role === 'model' : turns[index - 1]?.role === 'results';
    if (isContinued && last !== undefined) for (const part of parts) last.parts.push(part);
    else contents.push({ role: turn.role === 'assistant' ? 'model' : 'user', parts });
  }
  return contents;
}

function instruct(contents: GeminiContent[], instructions: GeminiPart[]): void {
  const [first] = contents;
  if (first?.role === 'user') first.parts.unshift(...instructions);
  else contents.unshift({ role: 'user', parts: instructions });
}

function partsOf(turn: Turn, signatures: CallSignatures, required: boolean): GeminiPart[] {
  switch (turn.role) {
    case 'user':
      return turn.parts.map(toPart);
    case 'assistant':
      return assistantParts(turn, {
        calls: callSignatures(turn, signatures, required && turn.calls.length > 0),
        text: textSignature(turn, signatures),
      });
    case 'results':
      return turn.results.map(toResponse);
    default:
      return turn satisfies never;
  }
}

interface TurnSignatures {
  calls: readonly (string | undefined)[];
  text: string | undefined;
}

function assistantParts(turn: AssistantTurn, signatures: TurnSignatures): GeminiPart[] {
  const { message, path } = turn;
  const { content, refusal } = message;
  const texts = typeof content === 'string' ? [content] : (content ?? []).map(saidIn);
  const said = saidInOrder(
    turn,
    texts.map((text) => ({ text })),
  ).map((piece) => (piece.kind === 'text' ? { ...piece.text } : callPart(piece, signatures.calls)));
  const spoken = behindTexts(said, [{ text: refusal ?? '' }]).filter(({ text }) => text !== '');
  const lastText = spoken.findLast(isText);
  if (lastText !== undefined) Object.assign(lastText, signed(signatures.text));
  const images = (message.images ?? []).map((image, index) => ({
    ...imagePart(image.image_url.url, `${path}.images[${index}]`),
    ...signed(signatureInExtra(image)),
  }));
  return behindTexts(spoken, images);
}

const isText = ({ text }: GeminiPart): boolean => text !== undefined;

/** What has no place in the order of an answer follows its last text. */
const behindTexts = (parts: readonly GeminiPart[], further: readonly GeminiPart[]): GeminiPart[] =>
  parts.toSpliced(parts.findLastIndex(isText) + 1, 0, ...further);

const callPart = (
  { call: { name, input }, index }: { call: EarlierCall; index: number },
  signatures: TurnSignatures['calls'],
): GeminiPart => ({ functionCall: { name, args: input }, ...signed(signatures[index]) });

type SaidPart = Exclude<AssistantTurn['message']['content'], string | null | undefined>[number];

const saidIn = (part: SaidPart): string => (part.type === 'text' ? part.text : part.refusal);

const signed = (signature: string | undefined): Pick<GeminiPart, 'thoughtSignature'> =>
  signature === undefined ? {} : { thoughtSignature: signature };

/** The vendor matches results to calls by name and order, not by id. */
const toResponse = ({ call, parts }: Result): GeminiPart => ({
  functionResponse: { name: call.name, response: responseOf(parts.map(({ text }) => text).join('\n')) },
});

/** The vendor requires an object; any other result is wrapped in one. */
function responseOf(said: string): Members {
  try {
    const value: unknown = said.trimStart().startsWith('{') ? parseExactJson(said) : undefined;
    if (isMembers(value)) return value;
  } catch {
    // The text only looks like JSON.
  }
  return { result: said };
}
