/** What is needed of a message to find where a question begins. */
interface Spoken {
  readonly role: string;
}

const results: ReadonlySet<string> = new Set(['function', 'results', 'tool']);

/**
 * For each message, whether it begins a question. A user message right behind the results of tools begins none, because
 * clients put reminders and the pictures of results there: the model has yet to read the results.
 */
function questionBegins(messages: readonly Spoken[]): boolean[] {
  let isRead = true;
  return messages.map(({ role }) => {
    if (results.has(role)) isRead = false;
    if (role === 'assistant') isRead = true;
    return role === 'user' && isRead;
  });
}

/** The place where the last question begins, -1 if there is none. */
export const lastQuestion = (messages: readonly Spoken[]): number => questionBegins(messages).lastIndexOf(true);

/** For each message, whether the model called tools to answer its question. */
export function questionsWithCalls<Message extends Spoken>(
  messages: readonly Message[],
  calls: (message: Message) => boolean,
): boolean[] {
  const begins = questionBegins(messages);
  const called = messages.map(() => false);
  let start = 0;
  for (const [place, message] of messages.entries()) {
    if (begins[place] === true) start = place;
    if (called[place] === true || !calls(message)) continue;
    const next = begins.indexOf(true, place + 1);
    called.fill(true, start, next === -1 ? messages.length : next);
  }
  return called;
}
