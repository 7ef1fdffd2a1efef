import { sql } from 'drizzle-orm'
import type { Database, Queries } from '../database'
import { deleteOldest } from './delete-oldest'

export interface AttemptLimits {
  windowMs: number
  perAddress: number
  perIp: number
}

interface Attempt {
  email: string
  ip: string
}

/** Any number will do, as long as it differs from other locks. */
const ATTEMPT_LOCK = 7_305_884

/**
 * Notes an attempt, which counts as failed until it is taken back; gives its id, or the seconds until the next one is
 * allowed. Attempts from one client are counted one after the other, on all instances together.
 */
export function noteAttempt(
  database: Database,
  { email, ip }: Attempt,
  { windowMs, perAddress, perIp }: AttemptLimits,
): Promise<{ id: string } | { retryAfterS: number }> {
  const since = sql`statement_timestamp() - ${windowMs}::double precision * interval '1 millisecond'`
  return database.transaction(async queries => {
    await queries.rows(sql`select 1 as locked from (select pg_advisory_xact_lock(${ATTEMPT_LOCK}, hashtext(${ip}))) lock`)
    const [noted] = await queries.rows<{ id: string }>(sql`
      insert into sign_in_attempts (email, ip, attempted_at)
      select ${email}, ${ip}, clock_timestamp()
      where (select count(*) from sign_in_attempts where ip = ${ip} and attempted_at > ${since}) < ${perIp}::int
        and (select count(*) from sign_in_attempts
          where ip = ${ip} and email = ${email} and attempted_at > ${since}) < ${perAddress}::int
      returning id::text`)
    if (noted !== undefined) return noted
    const [wait] = await queries.rows<{ seconds: number }>(sql`
      select ceil(extract(epoch from max(freed) - (${since})))::int as seconds from (
        (select attempted_at as freed from sign_in_attempts where ip = ${ip} and attempted_at > ${since}
          order by attempted_at desc offset ${perIp - 1}::int limit 1)
        union all
        (select attempted_at from sign_in_attempts where ip = ${ip} and email = ${email} and attempted_at > ${since}
          order by attempted_at desc offset ${perAddress - 1}::int limit 1)
      ) limits`)
    return { retryAfterS: Math.max(1, wait?.seconds ?? 1) }
  })
}

/** Takes an attempt back: it succeeded. */
export async function deleteAttempt(queries: Queries, id: string): Promise<void> {
  await queries.rows(sql`delete from sign_in_attempts where id = ${id}::bigint`)
}

/** Deletes up to `limit` attempts that count for no window any more; gives their number. */
export function purgeAttempts(queries: Queries, limit: number): Promise<number> {
  return deleteOldest(queries, { table: sql`sign_in_attempts`, key: sql`id`, due: sql`attempted_at <= now() - interval '1 day'`, order: sql`attempted_at`, limit })
}
