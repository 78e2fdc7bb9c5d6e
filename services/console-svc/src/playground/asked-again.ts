import { type ContentPart, GatewayError, type KeptTexts } from '@tallyport/contracts';
import { hasRole } from '@tallyport/management';
import type { FieldValues, PlaygroundTurn } from '@tallyport/pages';
import type { DashboardRequest } from '../screen/route.ts';
import { historyOf } from './conversation.ts';

/** More is not carried over: the page stays small, and the form can be sent. */
const mostPrompt = 8_000;
const mostSystem = 2_000;

interface AskedAgain {
  fields: FieldValues;
  /** What the person should know about the fields. */
  note?: string;
}

/** A request of the ledger: its model, and its prompt for those who may read it. */
export async function readAskedAgain({ ask, caller }: DashboardRequest, id: string): Promise<AskedAgain> {
  const { model } = await ask('readRequest', { id });
  if (!hasRole(caller, 'admin')) return { fields: { model } };
  try {
    return promptFields(model, await ask('readRequestContent', { id }));
  } catch (error) {
    if (!(error instanceof GatewayError) || error.code !== 'not_found') throw error;
    return { fields: { model }, note: 'The prompt of this request is not kept. Write a message.' };
  }
}

/** The system text, the turns that were answered, and the last message. */
export function promptFields(model: string, { prompt: { parts, cut } }: KeptTexts): AskedAgain {
  const texts = parts.flatMap(({ role, kind, text }) => (kind === 'text' && text ? [{ role, text }] : []));
  const system = joined(texts.filter(({ role }) => isSystem(role)));
  const { turns, unanswered } = turnsOf(
    model,
    texts.filter(({ role }) => !isSystem(role)),
  );
  const prompt = joined(unanswered);
  const history = historyOf(turns);
  const isWhole = !cut && history !== undefined && prompt.length <= mostPrompt && system.length <= mostSystem;
  const fields = {
    model,
    system: system.slice(0, mostSystem),
    prompt: prompt.slice(0, mostPrompt),
    history: history ?? '',
  };
  return { fields, ...(!isWhole && { note: 'The prompt was too long to carry over. Only a part of it is here.' }) };
}

interface Text {
  role: ContentPart['role'];
  text: string;
}

/** Texts of an assistant answer what was said before them. */
function turnsOf(model: string, texts: readonly Text[]): { turns: PlaygroundTurn[]; unanswered: Text[] } {
  const turns: PlaygroundTurn[] = [];
  let unanswered: Text[] = [];
  for (const each of texts) {
    if (each.role !== 'assistant') unanswered.push(each);
    else if (unanswered.length > 0) {
      turns.push({ prompt: joined(unanswered), answers: { [model]: each.text } });
      unanswered = [];
    }
  }
  return { turns, unanswered };
}

const joined = (texts: readonly Text[]): string => texts.map(({ text }) => text).join('\n');

const isSystem = (role: ContentPart['role']): boolean => role === 'system' || role === 'developer';
