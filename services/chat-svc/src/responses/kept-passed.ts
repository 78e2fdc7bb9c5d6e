import type { PassedAnswer } from '@tallyport/dialects';
import { replaceMembers } from '@tallyport/wire';
import type { SpokenPassedAnswer } from '../dialects/spoken-dialect.ts';
import { parsedJson } from '../parsed-json.ts';
import { z } from 'zod';

const responseSchema = z.looseObject({ id: z.string().min(1).max(256), output: z.array(z.unknown()) });
const lastEventSchema = z.object({ response: z.unknown() });

/** Members of a response that say where it is kept. */
export interface KeptMembers {
  store?: boolean;
  conversation?: { id: string } | null;
}

export type Keep = (id: string, response: object) => Promise<KeptMembers>;

/** Keeps responses that are passed on, under the vendor's ids and as the client gets them. */
export function keptPassed(passed: PassedAnswer, keep: Keep): SpokenPassedAnswer {
  /** The JSON around a response, which says where that is kept. */
  async function kept(json: Buffer, value: unknown, path: readonly string[]): Promise<Buffer> {
    const response = responseSchema.safeParse(value).data;
    const members: KeptMembers = response === undefined ? { store: false } : await keep(response.id, response);
    const changes = Object.entries(members).map(([name, member]) => ({
      path: [...path, name],
      value: JSON.stringify(member),
    }));
    return replaceMembers(json, changes);
  }

  return {
    whole(body) {
      const json = passed.whole(body);
      return kept(json, parsedJson(json), []);
    },
    stream() {
      const stream = passed.stream();
      return {
        ...stream,
        async end() {
          const [last] = stream.end();
          if (last === undefined) return [];
          const json = Buffer.from(last.json);
          const { response } = lastEventSchema.safeParse(parsedJson(json)).data ?? {};
          return [{ ...last, json: (await kept(json, response, ['response'])).toString() }];
        },
      };
    },
  };
}
