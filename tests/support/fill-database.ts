import postgres from 'postgres'
import type { Subject } from './every-query'

/** The number of ledger entries, and of the accounts that share them. The first account has a tenth of the entries. */
interface Size {
  rows: number
  accounts: number
}

/**
 * Fills a migrated database with a ledger whose sums are correct, spread over 1,200 days. Each other growing table gets
 * a tenth as many rows, at most 200,000. Foreign keys and triggers are disabled meanwhile.
 */
export async function fillDatabase(url: string, { rows, accounts }: Size): Promise<Subject> {
  const client = postgres(url, {
    max: 1,
    onnotice: () => {},
    connection: { session_replication_role: 'replica', synchronous_commit: 'off', maintenance_work_mem: '512MB' },
  })
  try {
    const most = Math.min(Math.ceil(rows / 10), 200_000)
    await client.unsafe(`
      insert into users (id, email, email_verified, granted_month) select number::text, number || '@example.test', now(), to_char(now() at time zone 'UTC', 'YYYY-MM') from generate_series(1, ${accounts}) number;
      insert into api_keys (account_id, hash, last4) select id, 'hash ' || id, 'last' from users;
      insert into api_keys (account_id, hash, last4, rotated_at) select (1 + number % ${accounts})::text, 'rotated ' || number, 'last', now() - number * interval '1 hour' from generate_series(1, ${most}) number`)
    await withoutIndexes(client, 'ledger_entries', () => client.unsafe(ledgerOf(rows, accounts)))
    await client.unsafe(
      `update users set balance = 10000000 + 1 - (select count(*) from ledger_entries where account_id = users.id)`,
    )
    await client.unsafe(othersOf(most, accounts))
    await client.unsafe('vacuum analyze')
    const [found] = await client<{ middle: string; call: string }[]>`
      select (select id from ledger_entries where account_id = '1' order by id offset ${Math.floor(rows / 20)} limit 1)::text as middle,
        (select id from calls where account_id = '1' order by at limit 1) as call`
    return {
      accountId: '1',
      email: '1@example.test',
      keyHash: 'hash 1',
      requestId: found?.call ?? '',
      middleEntry: Number(found?.middle),
    }
  } finally {
    await client.end()
  }
}

/**
 * Every tenth entry belongs to account 1, and the others alternate. The first entry of an account adds what its other
 * entries spend.
 */
function ledgerOf(rows: number, accounts: number): string {
  return `
    with numbers as (select number, case when number % 10 = 0 then 1 else 2 + (number - number / 10) % ${accounts - 1} end as account from generate_series(1, ${rows}) number),
    placed as (select number, account, case when account = 1 then number / 10 else 1 + (number - number / 10 - 1) / ${accounts - 1} end as place from numbers)
    insert into ledger_entries (account_id, kind, delta, balance, call_id, note, created_at)
    select account::text, case place when 1 then 'adjustment' else 'charge' end, case place when 1 then 10000000 else -1 end, 10000001 - place,
      case when place > 1 then gen_random_uuid()::text end, case place when 1 then 'filled' end, now() - interval '1200 days' * ((${rows} - number)::float8 / ${rows})
    from placed order by number`
}

function othersOf(most: number, accounts: number): string {
  const from = `from generate_series(1, ${most}) number`
  const account = `case when number % 10 = 0 then '1' else (1 + number % ${accounts})::text end`
  return `
    insert into holds (call_id, account_id, credits, state, instance_id, lease_until, closed_at)
      select 'call ' || number || 'h', ${account}, 1, case when number % 1000 = 1 then 'open' else 'settled' end, 'one', now() + interval '30 seconds', case when number % 1000 <> 1 then now() - number * interval '2 hours' / ${most} end ${from};
    insert into idempotency_records (account_id, key, request_hash, call_id, state, created_at) select ${account}, 'key ' || number, 'hash', 'call ' || number, 'succeeded', now() - number * interval '25 hours' / ${most} ${from};
    insert into sign_in_attempts (email, ip, attempted_at) select number || '@example.test', '192.0.2.' || number % 250, now() - number * interval '25 hours' / ${most} ${from};
    insert into verification_tokens (identifier, token, expires) select number || '@example.test', 'token', now() - number * interval '3 days' / ${most} ${from};
    insert into usage_days (account_id, day, operation, outcome, calls, credits, ms) select ${account}, current_date - (number * 31 + number / ${accounts} * 17) % 500, 'operation ' || number % 50, 'ok', 1, 1, 1 ${from} on conflict do nothing;
    insert into calls (id, account_id, at, day, operation, via, status, ms, bytes_in, bytes_out, credits, replayed, delivered, browser_origin)
      select 'call ' || number, ${account}, now() - number * interval '100 days' / ${most}, (now() - number * interval '100 days' / ${most})::date, case when number % 200 = 0 then 'pdf-tools/rotate-pdf' else 'pdf-tools/merge-pdf' end, 'api',
        case when number % 97 = 0 then 500 else 200 end, 1, 1, 1, 1, false, true, false ${from}`
}

/** Inserting many rows is faster if the indexes are created afterwards. */
async function withoutIndexes(client: postgres.Sql, table: string, work: () => PromiseLike<unknown>): Promise<void> {
  const indexes = await client<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition from pg_indexes where tablename = ${table} and indexname not like '%pkey'`
  for (const { name } of indexes) await client.unsafe(`drop index ${name}`)
  await work()
  for (const { definition } of indexes) await client.unsafe(definition)
}
