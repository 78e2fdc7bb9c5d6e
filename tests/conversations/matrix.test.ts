import { afterAll, afterEach, beforeAll, describe, test } from 'vitest';
import { type Rig, startRig } from '../clients/rig.ts';
import { partOf } from '../support/scale.ts';
import { conversationWith } from './conversation.ts';
import { casesOf, columns } from './matrix.ts';

/** What the table of conversations in docs/providers.md promises, cell by cell. */
let running: Rig;
beforeAll(async () => {
  running = await startRig();
});
afterEach(() => running.simulator.reset());
afterAll(() => running.stop());

describe.each(columns)('$title', (column) => {
  const cases = casesOf(column).map((each) => ({ ...each, name: each.family.name }));
  const taken = partOf(cases, { one: 3 });

  test.each(taken)('$name behind the API $api', async ({ family, api }) => {
    const conversation = conversationWith(family, api, running);
    for (const stream of [false, true]) await column.check(conversation, stream);
  });
});
