import { shapes } from '../../shapes/shapes.ts';
import { partOf } from '../../support/scale.ts';
import { type Attack, send } from './attack.ts';

/** About the most that JSON may have besides long texts and images. */
const bytes = 12_000_000;

const bodiesAt = (path: string): Attack => ({
  name: `12 MB at ${path}`,
  async prepare(attacker) {
    const chosen = partOf(shapes, { one: 4 });
    const bodies = chosen.map(({ body }) => body(bytes));
    return {
      clients: 4,
      once: (turn, signal) => send(attacker, path, { body: bodies[turn % bodies.length]!, signal }),
    };
  },
});

export const bodyAttacks: readonly Attack[] = [
  '/v1/chat/completions',
  '/v1/messages',
  '/v1/responses',
  '/v1/embeddings',
  '/v1/routes/explain',
  '/v1/messages/count_tokens',
].map(bodiesAt);
