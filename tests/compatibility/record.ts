import { writeFileSync } from 'node:fs';
import { messageKinds } from './contracts.ts';
import { currentVersion, shapesFile } from './recorded.ts';
import { shapeOf } from './shape.ts';

// Keeps what this version reads, for those that come after it: `node tests/compatibility/record.ts`.
const shapes = Object.fromEntries(messageKinds.map(({ name, schema }) => [name, shapeOf(schema, 'input')]));
writeFileSync(shapesFile(currentVersion), `${JSON.stringify(shapes, null, 2)}\n`);
