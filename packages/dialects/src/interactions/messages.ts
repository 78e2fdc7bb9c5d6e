import type { ChatMessage, UserPart } from '@tallyport/wire';
import { refuseMember } from '../refuse-member.ts';
import { contentPart } from './content-parts.ts';
import type { PlacedStep } from './input.ts';
import { createModelTurn, type ModelStep, type ModelTurn } from './model-turn.ts';
import type { StepOf } from './step-schema.ts';

/** The conversation as messages. */
export function stepMessages(steps: readonly PlacedStep[], instruction: string | null | undefined): ChatMessage[] {
  const first: ChatMessage[] = instruction ? [{ role: 'system', content: instruction }] : [];
  const history = createHistory();
  for (const { step, ...place } of steps) addStep(history, step, place);
  const said = history.messages();
  if (said.length === 0) refuseMember('input', 'must hold at least one step with a content');
  return [...first, ...said];
}

type Place = Omit<PlacedStep, 'step'>;

function addStep(history: History, step: PlacedStep['step'], place: Place): void {
  switch (step.type) {
    case 'user_input':
      return history.user((step.content ?? []).map((content, at) => contentPart(content, place.contentPath(at))));
    case 'function_result':
      return history.result(step, place.path);
    case 'function_call':
    case 'model_output':
    case 'thought':
      return history.model(step, place);
    default:
      return step satisfies never;
  }
}

interface History {
  user(parts: readonly UserPart[]): void;
  model(step: ModelStep, place: Place): void;
  result(step: StepOf<'function_result'>, path: string): void;
  messages(): ChatMessage[];
}

function createHistory(): History {
  /** In order; a turn of the model grows until all its calls have results. */
  const entries: (ChatMessage | ModelTurn)[] = [];
  let turn: ModelTurn | undefined;
  let isTurnLast = false;
  /** Media in results: a chat takes only text there. They follow the last result of a turn. */
  let media: UserPart[] = [];

  function sendMedia(): void {
    if (media.length > 0) entries.push({ role: 'user', content: media });
    media = [];
  }

  return {
    user(parts) {
      const [only] = parts;
      if (only === undefined) return;
      sendMedia();
      turn = undefined;
      entries.push({ role: 'user', content: parts.length === 1 && only.type === 'text' ? only.text : [...parts] });
    },
    model(step, place) {
      // A step between a call and its result would part them: the turn goes on.
      if (turn === undefined || !(isTurnLast || turn.isWaiting())) {
        sendMedia();
        turn = createModelTurn();
        entries.push(turn);
        isTurnLast = true;
      }
      turn.add(step, place);
    },
    result(step, path) {
      const { call_id: id } = step;
      if (turn?.answer(id) !== true) {
        refuseMember(`${path}.call_id`, `no function_call with the id ${id.slice(0, 64)} waits for its result`);
      }
      isTurnLast = false;
      const { text, others } = resultOf(step, `${path}.result`);
      entries.push({ role: 'tool', tool_call_id: id, content: text });
      if (others.length > 0) media.push({ type: 'text', text: `Attachments of the result of ${id}:` }, ...others);
    },
    messages() {
      sendMedia();
      return entries.flatMap((entry) => ('role' in entry ? entry : (entry.message() ?? [])));
    },
  };
}

interface Result {
  text: string;
  others: UserPart[];
}

function resultOf({ result, is_error: failed }: StepOf<'function_result'>, path: string): Result {
  const { text, others } = contentOf(result, path);
  return { text: failed === true ? `The tool failed:\n${text}` : text, others };
}

function contentOf(result: StepOf<'function_result'>['result'], path: string): Result {
  if (typeof result === 'string') return { text: result, others: [] };
  if (!Array.isArray(result)) return { text: JSON.stringify(result), others: [] };
  const parts = result.map((content, at) => contentPart(content, `${path}[${at}]`));
  const texts = parts.flatMap((part) => (part.type === 'text' ? part.text : []));
  const others = parts.filter(({ type }) => type !== 'text');
  return { text: texts.length > 0 ? texts.join('\n') : others.length > 0 ? 'See the attachments.' : '', others };
}
