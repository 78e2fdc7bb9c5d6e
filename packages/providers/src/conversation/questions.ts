/** What is needed of a message to find where a question begins. */
interface Spoken {
  readonly role: string;
}

const results: ReadonlySet<string> = new Set(['function', 'results', 'tool']);

/**
 * The place where the last question begins, -1 if there is none. A user message right behind the results of tools begins
 * no question, because clients put reminders and the pictures of results there: the model has yet to read the results.
 */
export function lastQuestion(messages: readonly Spoken[]): number {
  return messages.findLastIndex((_message, place) => beginsQuestion(messages, place));
}

export function beginsQuestion(messages: readonly Spoken[], place: number): boolean {
  if (messages[place]?.role !== 'user') return false;
  for (let before = place - 1; before >= 0; before -= 1) {
    const role = messages[before]?.role ?? '';
    if (results.has(role)) return false;
    if (role === 'assistant') return true;
  }
  return true;
}

/** For each message, whether the model called tools to answer its question. */
export function questionsWithCalls<Message extends Spoken>(
  messages: readonly Message[],
  calls: (message: Message) => boolean,
): boolean[] {
  const called: boolean[] = [];
  let question: number[] = [];
  let any = false;
  for (const [place, message] of messages.entries()) {
    if (beginsQuestion(messages, place)) [question, any] = [[], false];
    question.push(place);
    any ||= calls(message);
    if (any) for (const earlier of question.splice(0)) called[earlier] = true;
    else called[place] = false;
  }
  return called;
}
