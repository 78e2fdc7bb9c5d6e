import { writeFileSync } from 'node:fs';
import { messageKinds } from './contracts.ts';
import { messagesFile, currentVersion, recordedFile, shapesFile } from './recorded.ts';
import { missingPaths, type Shape, shapeOf } from './shape.ts';

const examples: Readonly<Record<string, unknown>> = { string: 'an example', integer: 1, number: 1, boolean: true };

// Records the messages of this version for later ones: `node tests/compatibility/record.ts && npm run format`.
const shapes = Object.fromEntries(messageKinds.map(({ name, schema }) => [name, shapeOf(schema, 'input')]));
writeJson(shapesFile(currentVersion), shapes);
for (const [name, shape] of Object.entries(shapes)) addMissing(name, shape);

/** Adds an example of each plain member that is not in any recorded message to the last message. */
function addMissing(name: string, shape: Shape): void {
  const { file, messages, last } = recordedFile(currentVersion, name);
  const missing = missingPaths(shape, messages).filter((path) => addTo(last, path.split('.'), shape[path] ?? ''));
  if (missing.length > 0) writeJson(messagesFile(currentVersion, name), file);
}

function addTo(message: unknown, [member = '', ...below]: readonly string[], described: string): boolean {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return false;
  if (below.length > 0) return addTo(Reflect.get(message, member), below, described);
  const example = examples[described.split(' ').at(-1) ?? ''];
  return example !== undefined && Reflect.set(message, member, example);
}

function writeJson(path: string, value: unknown): void {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
