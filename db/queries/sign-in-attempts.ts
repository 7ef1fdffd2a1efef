import { type SQL, sql } from 'drizzle-orm'
import type { Database, Queries } from '../database'
import { deleteOldest } from './delete-oldest'

/** Attempts that are allowed within a window; limits that are missing don't apply. */
export interface AttemptLimits {
  windowMs: number
  /** With one email from one network, and from one network in all. */
  perAddress: number
  perIp: number
  /** The same for a whole /48 of IPv6. */
  perSiteAddress?: number
  perSite?: number
  /** With one email from all networks together, except those that the account was signed in from before. */
  perEmail?: number
}

interface Attempt {
  email: string
  /** The network that is counted. */
  ip: string
  /** The /48 that the network belongs to. */
  site?: string | null
  /** What `noteSignInNetwork` keeps for this account and network. */
  networkHash?: string | undefined
}

/** Any number will do, as long as it differs from other locks. */
const ATTEMPT_LOCK = 7_305_884

interface Rule {
  counted: SQL
  most: number
}

/**
 * Notes an attempt, which counts as failed until it is taken back. Gives its id, or the seconds until the next one is
 * allowed. Attempts that share an email or a network are counted one after the other, on all instances together.
 */
export function noteAttempt(
  database: Database,
  attempt: Attempt,
  limits: AttemptLimits,
): Promise<{ id: string } | { retryAfterS: number }> {
  const { email, ip, site = null, networkHash } = attempt
  const since = sql`statement_timestamp() - ${limits.windowMs}::double precision * interval '1 millisecond'`
  return database.transaction(async queries => {
    const isKnown = await lockAttempts(queries, [`ip ${ip}`, `site ${site ?? ip}`, `email ${email}`], networkHash)
    const rules = listRules(attempt, limits, isKnown)
    const isUnder = ({ counted, most }: Rule) => sql`
      (select count(*) from sign_in_attempts where ${counted} and attempted_at > ${since}) < ${most}::int`
    const [noted] = await queries.rows<{ id: string }>(sql`
      insert into sign_in_attempts (email, ip, site, attempted_at)
      select ${email}, ${ip}, ${site}, clock_timestamp()
      where ${sql.join(rules.map(isUnder), sql` and `)}
      returning id::text`)
    if (noted !== undefined) return noted
    const freeing = ({ counted, most }: Rule) => sql`
      (select attempted_at as freed from sign_in_attempts where ${counted} and attempted_at > ${since}
        order by attempted_at desc offset ${most - 1}::int limit 1)`
    const [wait] = await queries.rows<{ seconds: number }>(sql`
      select ceil(extract(epoch from max(freed) - (${since})))::int as seconds
      from (${sql.join(rules.map(freeing), sql` union all `)}) limits`)
    return { retryAfterS: Math.max(1, wait?.seconds ?? 1) }
  })
}

/**
 * Locks what is counted, in one order for all, and gives whether the account was signed in to from the network before.
 */
async function lockAttempts(queries: Queries, names: string[], networkHash: string | undefined): Promise<boolean> {
  const list = sql.join(
    names.map(name => sql`(${name})`),
    sql`, `,
  )
  const [found] = await queries.rows<{ isKnown: boolean }>(sql`
    select exists (select 1 from sign_in_networks where network_hash = ${networkHash ?? ''}) as "isKnown"
    from (
      select count(*) from (
        select pg_advisory_xact_lock(${ATTEMPT_LOCK}, key)
        from (select distinct hashtext(name) as key from (values ${list}) names (name) order by key) keys
      ) locks
    ) locked`)
  return found?.isKnown ?? false
}

function listRules({ email, ip, site }: Attempt, limits: AttemptLimits, isKnown: boolean): Rule[] {
  const { perAddress, perIp, perSiteAddress, perSite, perEmail } = limits
  const rules: Rule[] = [
    { counted: sql`ip = ${ip}`, most: perIp },
    { counted: sql`ip = ${ip} and email = ${email}`, most: perAddress },
  ]
  if (site != null && perSite !== undefined) rules.push({ counted: sql`site = ${site}`, most: perSite })
  if (site != null && perSiteAddress !== undefined) {
    rules.push({ counted: sql`site = ${site} and email = ${email}`, most: perSiteAddress })
  }
  if (perEmail !== undefined && !isKnown) rules.push({ counted: sql`email = ${email}`, most: perEmail })
  return rules
}

/** Takes an attempt back: it succeeded. */
export async function deleteAttempt(queries: Queries, id: string): Promise<void> {
  await queries.rows(sql`delete from sign_in_attempts where id = ${id}::bigint`)
}

/** Deletes up to `limit` attempts that count for no window any more; gives their number. */
export function purgeAttempts(queries: Queries, limit: number): Promise<number> {
  return deleteOldest(queries, {
    table: sql`sign_in_attempts`,
    key: sql`id`,
    due: sql`attempted_at <= now() - interval '1 day'`,
    order: sql`attempted_at`,
    limit,
  })
}
