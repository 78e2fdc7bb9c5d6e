import { reconciliationSchema } from '@tallyport/contracts';
import { z } from 'zod';
import type { ApiOperations } from '../operation.ts';
import { vendorMapSchema } from './vendor-map.ts';

/** Of a bill as CSV. */
const mostCharacters = 512 * 1024;

/** A bill as CSV in a body, in which up to three bytes are written for a character. */
export const maxBillBodyBytes = 2 * 1024 * 1024;

const storedSchema = reconciliationSchema.extend({
  id: z.string(),
  at: z.string(),
  /** `installation` for usage of the installation's keys, `account` for usage that the account paid itself. */
  scope: z.enum(['installation', 'account']),
});

export type StoredReconciliation = z.infer<typeof storedSchema>;

/** The key is sent in a header, and no message repeats it. */
const adminKey = z.string().regex(/^[\x21-\x7e]{1,4096}$/, 'must be visible ASCII characters without spaces');

const newReconciliationSchema = z.strictObject({
  /** The id of the provider. */
  vendor: z.string().min(1).max(100),
  /** UTC days, both inclusive. */
  from: z.iso.date(),
  to: z.iso.date(),
  scope: storedSchema.shape.scope.default('account'),
  /** For this comparison only. */
  adminKey: adminKey.optional(),
  csv: z.string().max(mostCharacters).optional(),
  map: vendorMapSchema.default({}),
});

export type NewReconciliation = z.infer<typeof newReconciliationSchema>;

export const reconciliationOperations = {
  listReconciliations: {
    method: 'GET',
    path: '/reconciliations',
    summary:
      "Lists how the ledger compared with vendors' bills, newest first, at most a hundred results of the account. Operators see those of the installation as well.",
    access: 'admin',
    input: z.strictObject({ limit: z.coerce.number().int().min(1).max(100).default(20) }),
    output: z.object({ reconciliations: z.array(storedSchema) }),
  },
  createReconciliation: {
    method: 'POST',
    path: '/reconciliations',
    summary:
      "Compares the ledger with a vendor's bill of at most 92 days: the vendor's report, read with `adminKey`, which is used for this comparison only and stored nowhere, or `csv` with `map.columns`. `account` compares what the account paid itself with its own provider keys, `installation` what all accounts used with the installation's keys, for operators. An account compares one bill at a time, within twenty-five seconds.",
    access: 'admin',
    input: newReconciliationSchema,
    output: storedSchema,
    status: 201,
    maxBodyBytes: maxBillBodyBytes,
    example: {
      summary: 'A bill as CSV',
      value: {
        vendor: 'example-cloud',
        from: '2026-11-01',
        to: '2026-11-30',
        csv: 'Day,Model,Cost\n2026-11-09,example-model,1.25\n',
        map: { columns: { day: 'Day', model: 'Model', amount: 'Cost' } },
      },
    },
  },
  readReconciliation: {
    method: 'GET',
    path: '/reconciliations/{id}',
    summary: 'Returns one result with the hundred rows that differ most.',
    access: 'admin',
    input: z.strictObject({ id: z.string().min(1).max(100) }),
    output: storedSchema,
  },
} as const satisfies ApiOperations;
