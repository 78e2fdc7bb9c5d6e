import { applyUsage, readOptions } from './apply/options.ts';
import { runApply } from './apply/run-apply.ts';

// `npm run apply -- gateway.yaml [--plan] [--prune] …`

const options = readOptions(process.argv.slice(2), process.env);
if (typeof options === 'string') {
  process.stderr.write(`${options}\n\n${applyUsage}`);
  process.exitCode = 1;
} else {
  process.exitCode = await runApply(options, {
    out: (text) => process.stdout.write(text),
    problem: (text) => process.stderr.write(text),
    environment: process.env,
  });
}
