import { cutAfterHeadersKind, cutKind } from './cut.ts';
import { commentsKind, heartbeatOnlyKind } from './comments.ts';
import { endlessKind } from './endless.ts';
import { errorIn200Kind, errorMidStreamKind } from './errors-inside.ts';
import type { FaultKind } from './fault.ts';
import { byteWiseKind, crlfKind } from './framing.ts';
import { gzipKind, gzipMislabelledKind } from './gzip.ts';
import { malformedLineKind } from './malformed-line.ts';
import { noDoneKind, noUsageKind } from './missing.ts';
import { oversizedLineKind } from './oversized-line.ts';
import { hangKind, resetKind } from './silence.ts';
import { dripKind, slowFirstByteKind } from './slow.ts';
import { statusKind } from './status.ts';
import { toolCallsKind } from './tool-calls.ts';
import { unknownEventKind } from './unknown-event.ts';
import { wrongUsageKind } from './wrong-usage.ts';

/** Every fault, by name. */
export const faultKinds: readonly FaultKind[] = [
  byteWiseKind,
  commentsKind,
  crlfKind,
  cutKind,
  cutAfterHeadersKind,
  dripKind,
  endlessKind,
  errorIn200Kind,
  errorMidStreamKind,
  gzipKind,
  gzipMislabelledKind,
  hangKind,
  heartbeatOnlyKind,
  malformedLineKind,
  noDoneKind,
  noUsageKind,
  oversizedLineKind,
  resetKind,
  slowFirstByteKind,
  statusKind,
  toolCallsKind,
  unknownEventKind,
  wrongUsageKind,
];
