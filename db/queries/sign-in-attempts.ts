import { type SQL, sql } from 'drizzle-orm'
import type { Database, Queries } from '../database'
import { deleteOldest } from '../delete-oldest'

/** Attempts allowed within a window. A missing limit doesn't apply. */
export interface AttemptLimits {
  windowMs: number
  /** `perAddress` counts one email from one network, and `perIp` all attempts from one network. */
  perAddress: number
  perIp?: number
  /** The same limits for a whole site, such as a /48 of IPv6. */
  perSiteAddress?: number
  perSite?: number
  /** Limit for one email from all networks together, except networks from which the account was signed in to before. */
  perEmail?: number
}

interface Attempt {
  email: string
  /** The network to count. */
  ip: string
  /** The site that the network belongs to. */
  site?: string | null
  /** The hash that `recordSignInNetwork` stores for this account and network. */
  networkHash?: string | undefined
}

/** An arbitrary number that differs from other locks. */
const ATTEMPT_LOCK = 7_305_884

interface Rule {
  counted: SQL
  most: number
}

/**
 * Stores an attempt, which counts as failed until it is deleted. Returns its ID, or the seconds until the next attempt
 * is allowed. Attempts with the same email or network are counted one after the other, across all instances.
 */
export function recordAttempt(
  database: Database,
  attempt: Attempt,
  limits: AttemptLimits,
): Promise<{ id: string } | { retryAfterS: number }> {
  const { email, ip, site = null, networkHash } = attempt
  const since = sql`statement_timestamp() - ${limits.windowMs}::double precision * interval '1 millisecond'`
  return database.transaction(async queries => {
    const isKnown = await lockAttempts(queries, [`ip ${ip}`, `site ${site ?? ip}`, `email ${email}`], networkHash)
    const rules = listRules(attempt, limits, isKnown)
    const isUnderLimit = ({ counted, most }: Rule) => sql`
      (select count(*) from sign_in_attempts where ${counted} and attempted_at > ${since}) < ${most}::int`
    const [attemptRow] = await queries.rows<{ id: string }>(sql`
      insert into sign_in_attempts (email, ip, site, attempted_at)
      select ${email}, ${ip}, ${site}, clock_timestamp()
      where ${sql.join(rules.map(isUnderLimit), sql` and `)}
      returning id::text`)
    if (attemptRow !== undefined) return attemptRow
    const selectFreedAt = ({ counted, most }: Rule) => sql`
      (select attempted_at as freed from sign_in_attempts where ${counted} and attempted_at > ${since}
        order by attempted_at desc offset ${most - 1}::int limit 1)`
    const [wait] = await queries.rows<{ seconds: number }>(sql`
      select ceil(extract(epoch from max(freed) - (${since})))::int as seconds
      from (${sql.join(rules.map(selectFreedAt), sql` union all `)}) limits`)
    return { retryAfterS: Math.max(1, wait?.seconds ?? 1) }
  })
}

/**
 * Locks the counted names in the same order everywhere. Returns whether the account was signed in to from the network
 * before.
 */
async function lockAttempts(queries: Queries, names: string[], networkHash: string | undefined): Promise<boolean> {
  const list = sql.join(
    names.map(name => sql`(${name})`),
    sql`, `,
  )
  const [row] = await queries.rows<{ isKnown: boolean }>(sql`
    select exists (select 1 from sign_in_networks where network_hash = ${networkHash ?? ''}) as "isKnown"
    from (
      select count(*) from (
        select pg_advisory_xact_lock(${ATTEMPT_LOCK}, key)
        from (select distinct hashtext(name) as key from (values ${list}) names (name) order by key) keys
      ) locks
    ) locked`)
  return row?.isKnown ?? false
}

function listRules({ email, ip, site }: Attempt, limits: AttemptLimits, isKnown: boolean): Rule[] {
  const { perAddress, perIp, perSiteAddress, perSite, perEmail } = limits
  const rules: Rule[] = [{ counted: sql`ip = ${ip} and email = ${email}`, most: perAddress }]
  if (perIp !== undefined) rules.push({ counted: sql`ip = ${ip}`, most: perIp })
  if (site != null && perSite !== undefined) rules.push({ counted: sql`site = ${site}`, most: perSite })
  if (site != null && perSiteAddress !== undefined) {
    rules.push({ counted: sql`site = ${site} and email = ${email}`, most: perSiteAddress })
  }
  if (perEmail !== undefined && !isKnown) rules.push({ counted: sql`email = ${email}`, most: perEmail })
  return rules
}

/** Deletes an attempt that succeeded. */
export async function deleteAttempt(queries: Queries, id: string): Promise<void> {
  await queries.rows(sql`delete from sign_in_attempts where id = ${id}::bigint`)
}

/** Deletes up to `limit` attempts that no window counts any more. Returns their number. */
export function purgeAttempts(queries: Queries, limit: number): Promise<number> {
  return deleteOldest(queries, {
    table: sql`sign_in_attempts`,
    key: sql`id`,
    due: sql`attempted_at <= now() - interval '1 day'`,
    order: sql`attempted_at`,
    limit,
  })
}

/**
 * Stores that an account was signed in to from a network. Stores nothing for an account that was deleted in the
 * meantime.
 */
export async function recordSignInNetwork(queries: Queries, accountId: string, networkHash: string): Promise<void> {
  await queries.rows(sql`
    insert into sign_in_networks (network_hash, account_id)
    select ${networkHash}, id from users where id = ${accountId} and deleted_at is null
    on conflict (network_hash) do update set account_id = excluded.account_id, last_at = now()`)
}

/** Deletes up to `limit` networks without a sign-in for 90 days. Returns their number. */
export function purgeSignInNetworks(queries: Queries, limit: number): Promise<number> {
  return deleteOldest(queries, {
    table: sql`sign_in_networks`,
    key: sql`network_hash`,
    due: sql`last_at <= now() - interval '90 days'`,
    order: sql`last_at`,
    limit,
  })
}
