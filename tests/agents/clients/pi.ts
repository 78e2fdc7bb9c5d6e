import { documentedBlock } from '../../docs/client-examples.ts';
import type { Agent } from '../agent.ts';
import { placeOf } from '../place.ts';

export const pi: Agent = {
  name: 'pi',
  package: '@earendil-works/pi-coding-agent',
  // Later versions depend on packages that are not published.
  version: '0.87.1',
  program: 'pi',
  readCall: ({ file }) => ({ tool: 'read', arguments: { path: file } }),
  start: (task) => ({
    files: { '.pi/agent/models.json': documentedBlock('pi', 'json', placeOf(task)) },
    environment: { PI_OFFLINE: '1', PI_TELEMETRY: '0' },
    args: [
      ...(task.isContinued ? ['--continue'] : []),
      '--provider',
      'tallyport',
      '--model',
      task.model,
      '-p',
      task.prompt,
    ],
  }),
};
