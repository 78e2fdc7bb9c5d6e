import type { Mechanism } from './mechanism.ts';
import { budgets } from './parts/budgets.ts';
import { concurrency } from './parts/concurrency.ts';
import { exchanges } from './parts/exchanges.ts';
import { health } from './parts/health.ts';
import { heartbeats } from './parts/heartbeats.ts';
import { journal } from './parts/journal.ts';
import { keyLookUps } from './parts/keys.ts';
import { ledger } from './parts/ledger.ts';
import { notices } from './parts/notices.ts';
import { windows } from './parts/windows.ts';

export const mechanisms: readonly Mechanism[] = [
  health,
  heartbeats,
  windows,
  concurrency,
  budgets,
  exchanges,
  notices,
  journal,
  keyLookUps,
  ledger,
];
