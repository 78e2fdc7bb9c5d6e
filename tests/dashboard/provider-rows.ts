import { type Database, sql } from '@tallyport/database';

/** Ninety days of two providers: one nearly always answers, the other has a bad day and a gap, and an incident today. */
export async function addProviderRows({ kysely }: Database): Promise<void> {
  await sql`insert into offer_hours (at, provider, model, attempts, failed, rescued)
    select date_trunc('day', now(), 'UTC') - make_interval(days => day) + make_interval(hours => hour), provider, 'sandbox-chat', 400,
      case when provider = 'sandbox-a' then (day * 7 + hour) % 3
        when day = 12 then 90 when day = 40 then 12 else (day + hour) % 5 end, 0
    from generate_series(0, 89) as day, generate_series(0, 2) as hour, unnest(array['sandbox-a', 'sandbox-b']) as provider
    where not (provider = 'sandbox-b' and day between 60 and 64)
    on conflict do nothing`.execute(kysely);
  await sql`insert into offer_latencies (at, provider, model, bucket, attempts)
    select at, provider, model, bucket, case bucket when 38 then 300 else 40 end
    from offer_hours, unnest(array[38, 41, 44]) as bucket where model = 'sandbox-chat'
    on conflict do nothing`.execute(kysely);
}
