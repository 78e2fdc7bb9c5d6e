import { z } from 'zod';

/** Lines that one provider has answered at one price. */
const answeredBySchema = z.object({
  provider: z.string(),
  /** `batch`: in a batch of the vendor. `standard`: as a request. */
  price: z.enum(['batch', 'standard']),
  lines: z.number(),
  /** In USD. */
  cost: z.number(),
  /** In USD: how much less than as requests, by the catalogue. */
  saved: z.number(),
});

export type AnsweredBy = z.infer<typeof answeredBySchema>;

/** Of the column of a batch. */
export const readAnsweredBy = (stored: unknown): AnsweredBy[] => z.array(answeredBySchema).parse(stored);

/** The same list with further lines. */
export function withAnswers(known: readonly AnsweredBy[], more: readonly Omit<AnsweredBy, 'lines'>[]): AnsweredBy[] {
  const all = new Map(known.map((each) => [nameOf(each), each]));
  for (const { provider, price, cost, saved } of more) {
    const name = nameOf({ provider, price });
    const before = all.get(name) ?? { provider, price, lines: 0, cost: 0, saved: 0 };
    all.set(name, { ...before, lines: before.lines + 1, cost: before.cost + cost, saved: before.saved + saved });
  }
  return [...all.values()];
}

const nameOf = ({ provider, price }: Pick<AnsweredBy, 'provider' | 'price'>): string => `${price} ${provider}`;
