import { applyCommand } from './apply/command.ts';

process.exitCode = await applyCommand(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  problem: (text) => process.stderr.write(text),
  environment: process.env,
});
