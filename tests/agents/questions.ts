import type { Agent } from './agent.ts';

interface QuestionSettings {
  /** The working folder. */
  folder: string;
  model: string;
  lastModel: string;
}

export interface Question {
  model: string;
  prompt: string;
  /** The files of the working folder, by name. */
  files: Readonly<Record<string, string>>;
  /** A text that only the last file contains. */
  answer: string;
}

/** The questions of a conversation; each takes two calls of the agent's tool, because one file requests the next one. */
const topics = [
  { asks: 'where the meeting is', names: ['notes.txt', 'room.txt'], answer: 'The meeting is in room 4711.' },
  { asks: 'when it is', names: ['dates.txt', 'day.txt'], answer: 'It begins on May 29 at 9:30.' },
  { asks: 'who takes part', names: ['people.txt', 'list.txt'], answer: 'Ada, Grace and Katherine take part.' },
] as const;

/** The questions, the last of which goes to another model. */
export const questionsFor = ({ readCall }: Agent, { folder, model, lastModel }: QuestionSettings): Question[] =>
  topics.map(({ asks, names: [first, last], answer }, at) => {
    const asked = at === topics.length - 1 ? lastModel : model;
    const request = (file: string) => {
      const call = readCall({ file, folder, model: asked });
      const members = Object.entries(call.arguments).map(([name, value]) => `;${name}=${value}`);
      return `[reasoning] [call:${call.tool}${members.join('')}]`;
    };
    return {
      model: asked,
      prompt: `Read the file ${first} and say ${asks}. ${request(first)}`,
      files: { [first]: `Another file has the answer. ${request(last)}\n`, [last]: `${answer}\n` },
      answer,
    };
  });

/** A question with calls of a tool, and two about what was said before, which simulated models answer with a text. */
export function compactedQuestions(agent: Agent, { folder, model }: Omit<QuestionSettings, 'lastModel'>): Question[] {
  const [first] = questionsFor(agent, { folder, model, lastModel: model });
  const others = ['Say it again.', 'And once more.'].map((asks) => ({
    model,
    prompt: `[text] ${asks}`,
    files: {},
    answer: 'no real model was asked',
  }));
  return first === undefined ? others : [first, ...others];
}
