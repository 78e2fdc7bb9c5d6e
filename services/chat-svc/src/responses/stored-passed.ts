import type { PassedAnswer } from '@tallyport/dialects';
import { replaceMembers } from '@tallyport/wire';
import type { SpokenPassedAnswer } from '../dialects/spoken-dialect.ts';
import { parsedJson } from './response-record.ts';
import { z } from 'zod';

const responseSchema = z.looseObject({ id: z.string().min(1).max(256), output: z.array(z.unknown()) });
const lastEventSchema = z.object({ response: z.unknown() });

/** Stores responses that are passed on, under the vendor's ids and as the client gets them. */
export function storedPassed(
  passed: PassedAnswer,
  keep: (id: string, response: object) => Promise<boolean>,
): SpokenPassedAnswer {
  /** The JSON around a response, which says whether that is stored. */
  async function kept(json: Buffer, value: unknown, path: readonly string[]): Promise<Buffer> {
    const response = responseSchema.safeParse(value).data;
    const isStored = response !== undefined && (await keep(response.id, response));
    return isStored ? json : replaceMembers(json, [{ path: [...path, 'store'], value: 'false' }]);
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
