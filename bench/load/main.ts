import { sendToParent } from '../support/messages.ts';
import { runClosed, runCount } from './closed.ts';
import { runHold } from './hold.ts';
import type { LoadPlan, LoadResult } from './plan.ts';
import { runRate } from './rate.ts';

process.on('disconnect', () => process.exit(0));
process.on('message', (plan: LoadPlan) => {
  run(plan, () => sendToParent({ kind: 'measuring' })).then(sendToParent, (error: unknown) =>
    sendToParent({ kind: 'broken', message: String(error) }),
  );
});
sendToParent({ kind: 'ready' });

function run(plan: LoadPlan, onMeasuring: () => void): Promise<LoadResult> {
  switch (plan.kind) {
    case 'closed':
      return runClosed(plan, onMeasuring);
    case 'count':
      return runCount(plan, onMeasuring);
    case 'rate':
      return runRate(plan, onMeasuring);
    case 'hold':
      return runHold(plan, onMeasuring);
    default:
      return plan satisfies never;
  }
}
