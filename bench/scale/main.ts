import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { describeMachine } from '../measure/machine.ts';
import { createUndo } from '../support/undo.ts';
import { mechanisms } from './mechanisms.ts';
import { renderTable, writeResults } from './report.ts';
import { type Curve, runMechanisms } from './run.ts';

// `node bench/scale/main.ts [mechanisms]`: what each thing that replicas share costs at several numbers of replicas, with
// the real packages and servers, and at which size of a gateway a server is full. --quick measures fewer replicas.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false } },
});
const unknown = positionals.find((name) => !mechanisms.some((each) => each.name === name));
if (unknown !== undefined)
  throw new Error(`unknown mechanism "${unknown}"; there are ${mechanisms.map(({ name }) => name).join(', ')}`);
const chosen = mechanisms.filter(({ name }) => positionals.length === 0 || positionals.includes(name));

const undo = createUndo();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => void undo.all().finally(() => process.exit(130)));

try {
  const startedAt = new Date().toISOString();
  const sizes = values.quick ? [1, 10, 100] : [1, 10, 100, 300, 1_000, 3_000];
  const onMeasured = ({ title, limit }: Curve) => console.error(`${title}: full at ${limit} edges`);
  const curves = await runMechanisms(chosen, { sizes, units: values.quick ? 100 : 300, undo, onMeasured });
  console.log(renderTable(curves));
  const results = { startedAt, quick: values.quick, machine: describeMachine(), curves };
  console.log(`\nAll figures: ${await writeResults(results, fileURLToPath(new URL('../results', import.meta.url)))}`);
} finally {
  await undo.all();
}
