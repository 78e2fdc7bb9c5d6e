import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BlockEvent } from './answer-types.ts';
import { createBlockWriter } from './block-writer.ts';
import type { BlockPiece } from './open-block.ts';

/** A text, or a call with its arguments, each cut into pieces. */
type Part = { text: string[] } | { input: string[] };

const cuts = fc.array(fc.string({ minLength: 1, maxLength: 4 }), { maxLength: 4 });
const parts = fc.array(fc.oneof(fc.record({ text: cuts }), fc.record({ input: cuts })), { minLength: 1, maxLength: 5 });

function piecesOf(part: Part, index: number): BlockPiece[] {
  if ('text' in part) return part.text.map((text) => ({ kind: 'text', text }));
  const inputs = ['', '{"q":"', ...part.input.map((text) => JSON.stringify(text).slice(1, -1)), '"}'];
  return inputs.map((input, at) => ({
    kind: 'call',
    index,
    id: at === 0 ? `id_${index}` : undefined,
    name: at === 0 ? `name_${index}` : undefined,
    input,
  }));
}

/** The pieces of each part in their order, and the parts in any order: each turn takes a piece of one part. */
function mixed(queues: readonly BlockPiece[][], turns: readonly number[]): BlockPiece[] {
  const rest = queues.map((queue) => [...queue]);
  return [...turns.flatMap((turn) => rest[turn % rest.length]?.splice(0, 1) ?? []), ...rest.flat()];
}

interface Block {
  id: string | undefined;
  name: string | undefined;
  written: string;
}

/** Fails where a block is written that is not the open one. */
function blocksOf(events: readonly BlockEvent[]): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  for (const event of events) {
    expect(event.index).toBe(event.type === 'content_block_start' ? blocks.length : blocks.length - 1);
    if (event.type === 'content_block_start') {
      const call = event.content_block.type === 'tool_use' ? event.content_block : undefined;
      blocks.push((open = { id: call?.id, name: call?.name, written: '' }));
    } else if (event.type === 'content_block_stop') open = undefined;
    else if (event.delta.type === 'text_delta') open!.written += event.delta.text;
    else if (event.delta.type === 'input_json_delta') open!.written += event.delta.partial_json;
  }
  const order = events.map(({ type }) => type).filter((type) => type !== 'content_block_delta');
  expect(order.join(' ')).toMatch(/^((content_block_start content_block_stop ?)*)$/);
  return blocks;
}

test('every call and all text is written whole, in any order of the pieces', () => {
  fc.assert(
    fc.property(parts, fc.array(fc.nat({ max: 4 }), { maxLength: 40 }), (given, turns) => {
      const pieces = mixed(given.map(piecesOf), turns);
      const writer = createBlockWriter();
      for (const piece of pieces) writer.write(piece);
      writer.close();
      const blocks = blocksOf(writer.take());
      const texts = blocks.filter(({ id }) => id === undefined).map(({ written }) => written);
      expect(texts.join('')).toBe(pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')).join(''));
      const calls = given.flatMap((part, index) =>
        'input' in part
          ? [{ id: `id_${index}`, name: `name_${index}`, written: JSON.stringify({ q: part.input.join('') }) }]
          : [],
      );
      const written = blocks.filter(({ id }) => id !== undefined);
      expect(written.toSorted((left, right) => (left.id ?? '').localeCompare(right.id ?? ''))).toEqual(calls);
    }),
  );
});
