import { routesCommand } from './routes/command.ts';

process.exitCode = await routesCommand(process.argv.slice(2), {
  out: (text) => process.stdout.write(text),
  problem: (text) => process.stderr.write(text),
});
