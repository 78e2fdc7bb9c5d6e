import type { Store } from '@tallyport/store';
import type { z } from 'zod';

interface EntryNotices<Notice extends readonly string[]> {
  channel: string;
  schema: z.ZodType<Notice>;
  /** Notes an entry of this replica or of another one, and returns whether it is worth sending. */
  note(...notice: Notice): boolean;
}

interface SharedEntries<Notice extends readonly string[]> {
  note(...notice: Notice): void;
  close(): void;
}

/**
 * Entries that each replica keeps in memory and sends to the others. No request waits for that, and an entry may be lost at
 * any time.
 */
export function sharedEntries<Notice extends readonly string[]>(
  store: Pick<Store, 'publish' | 'subscribe'>,
  { channel, schema, note }: EntryNotices<Notice>,
): SharedEntries<Notice> {
  const close = store.subscribe(channel, (payload) => {
    const notice = schema.safeParse(JSON.parse(Buffer.from(payload).toString())).data;
    if (notice !== undefined) note(...notice);
  });
  return {
    note(...notice) {
      if (note(...notice)) void store.publish(channel, Buffer.from(JSON.stringify(notice)));
    },
    close,
  };
}
