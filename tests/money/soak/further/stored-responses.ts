import type { ClientRequest } from '../../client.ts';
import { newMark } from '../../mark.ts';
import type { MoneySystem } from '../../system.ts';
import { edgeOf } from '../../edge-of.ts';
import { lost } from '../../expected-losses.ts';
import type { Feature } from './feature.ts';
import { addKey, Refusal, send, timed } from './use.ts';

interface Response {
  id: string;
  store: boolean;
  output: { content?: { text?: string }[] }[];
}

/** How the gateway names a response that it does not know. */
const unknown = /^404 not_found$|^400 previous_response_not_found$/;

/** Creates a response, reads it, continues it, deletes it, and sees that it is gone. */
export async function keepResponses(system: MoneySystem): Promise<Feature> {
  const key = await addKey(system);
  return {
    everyMs: 1_000,
    use: async (number) => {
      const edge = edgeOf(number);
      const asked: ClientRequest[] = [];
      const created = (more?: object) => create(system, { edge, apiKey: key, asked, more });
      const at = (method: string, { id }: Response) =>
        send(system, { edge, apiKey: key, method, path: `/v1/responses/${id}` });
      const use = await timed('stored response', edge, async () => {
        const made = await created();
        // Redis was away when it was made.
        if (!made.store) return { result: 'not stored' };
        try {
          const read = (await at('GET', made)) as unknown as Response;
          if (textOf(read) !== textOf(made)) return { problem: `read another answer: ${textOf(read)}` };
          await created({ previous_response_id: made.id });
          await at('DELETE', made);
        } catch (error) {
          if (!(error instanceof Refusal) || !unknown.test(error.message)) throw error;
          return { result: lost, problem: `${made.id} is lost: ${error.message}` };
        }
        const end = await at('GET', made).then(() => 'done', String);
        if (end === 'done') return { problem: `${made.id} can be read after it was deleted` };
        return undefined;
      });
      return { ...use, asked };
    },
  };
}

interface Creation {
  edge: number;
  apiKey: string;
  /** The request is added to these. */
  asked: ClientRequest[];
  more?: object | undefined;
}

async function create(system: MoneySystem, { edge, apiKey, asked, more }: Creation): Promise<Response> {
  const mark = newMark();
  const from = Date.now();
  const sent = send(system, {
    edge,
    apiKey,
    path: '/v1/responses',
    headers: { 'x-request-id': mark },
    body: { model: 'sandbox-chat', input: mark, ...more },
  });
  const ended = await sent.then(
    () => ({ whole: true, result: '200' }),
    (error: unknown) => ({ whole: false, result: String(error) }),
  );
  asked.push({ mark, edge, from, until: Date.now(), left: false, hit: false, ...ended });
  const response = (await sent) as unknown as Response;
  if (!textOf(response).includes(`You said: "${mark}".`)) throw new Error(`a wrong answer: ${textOf(response)}`);
  return response;
}

const textOf = ({ output }: Response): string =>
  output.flatMap(({ content = [] }) => content.map(({ text = '' }) => text)).join('');
