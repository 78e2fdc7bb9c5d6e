import { expect, test } from 'vitest';
import { listBounds, type ListedTool, offerTools } from './offered-tools.ts';

const asItIs = (text: string): string => text;
/** A tool that has this many bytes as it was sent. What is offered of its description is short. */
function toolOf(name: string, bytes: number): ListedTool {
  const tool = { name, description: '', inputSchema: { type: 'object' } };
  return { ...tool, description: 'x'.repeat(bytes - JSON.stringify(tool).length) };
}
const offered = (...listed: ListedTool[]) => {
  const { tools, leftOut } = offerTools('docs', listed, asItIs);
  return [...tools.map(({ name }) => name), leftOut];
};

test('tools of one MiB as they were sent are read, and one byte more is not', () => {
  const small = toolOf('small', 1_000);
  expect(offered(toolOf('large', listBounds.sentBytes - 1_000), small)).toEqual(['large', 'small', 0]);
  expect(offered(toolOf('large', listBounds.sentBytes - 999), small)).toEqual(['large', 1]);
  expect(offered(toolOf('larger', listBounds.sentBytes + 1), small)).toEqual(['small', 1]);
});
