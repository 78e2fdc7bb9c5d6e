import { importCommand } from './import/command.ts';

process.exitCode = await importCommand(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  problem: (text) => process.stderr.write(text),
  environment: process.env,
});
