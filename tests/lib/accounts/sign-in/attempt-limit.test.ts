import { randomInt, randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { createAccount } from '../../../../lib/accounts/account/accounts'
import { purgeSignInNetworks } from '../../../../db/queries/sign-in-attempts'
import { beginAttempt, countMail, rememberNetwork } from '../../../../lib/accounts/sign-in/attempt-limit'
import { prepareDatabase, SAMPLED_KINDS } from '../../../support/databases'

const secret = 'a secret of more than thirty-two characters'

/** An attempt that has not begun. */
type Try = () => ReturnType<typeof beginAttempt>

const AT_ONCE = 10

/** Makes attempts, some at once. The last of hundreds at once would wait longer than a statement may. */
async function makeTries(tries: readonly Try[]) {
  const made = []
  for (let at = 0; at < tries.length; at += AT_ONCE)
    made.push(...(await Promise.all(tries.slice(at, at + AT_ONCE).map(begin => begin()))))
  return made
}

describe.each(SAMPLED_KINDS)('limits on sign-ins and emails on %s', async kind => {
  const opened = await prepareDatabase(kind)
  const { database } = opened
  const another = await opened.another()

  const newEmail = () => `${randomUUID()}@example.test`
  const group = () => randomInt(0x10000).toString(16)
  const newSite = () => `2001:db8:${group()}`
  const newIpv4 = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`
  const attempt = (email: string, ip: string, on = database) => beginAttempt({ email, ip }, { database: on, secret })
  const isAllowed = async (email: string, ip: string) => (await attempt(email, ip)).isAllowed
  const countAllowed = async (tries: Try[]) => (await makeTries(tries)).filter(one => one.isAllowed).length
  /** Moves the time of all attempts back, as if that much time had passed. */
  const passMinutes = (minutes: number) =>
    database.rows(sql`update sign_in_attempts set attempted_at = attempted_at - ${minutes}::int * interval '1 minute'`)
  /** As many attempts as requested, each from a different network. */
  const spread = (email: string, count: number): Try[] =>
    Array.from(
      { length: count },
      (_, index) => () => attempt(email, `198.18.${index}.${randomInt(256)}`, index % 2 === 0 ? database : another),
    )

  it('count a /64 of IPv6 as one network, on two instances at once', async () => {
    const [email, site] = [newEmail(), newSite()]
    const tries = Array.from(
      { length: 40 },
      (_, index) => () =>
        attempt(email, `${site}:1:${group()}:${group()}::${index}`, index % 2 === 0 ? database : another),
    )
    expect(await countAllowed(tries)).toBe(10)
    expect(await isAllowed(email, `${site}:2::1`)).toBe(true)
  })

  it('count an IPv4-mapped address as the IPv4 address', async () => {
    const [email, ip] = [newEmail(), newIpv4()]
    const tries = Array.from({ length: 14 }, (_, index) => () => attempt(email, index % 2 === 0 ? ip : `::ffff:${ip}`))
    expect(await countAllowed(tries)).toBe(10)
  })

  it('count a /48 with a higher limit', async () => {
    const [email, site] = [newEmail(), newSite()]
    const tries = Array.from(
      { length: 45 },
      (_, index) => () => attempt(email, `${site}:${index.toString(16)}::1`, index % 2 === 0 ? database : another),
    )
    expect(await countAllowed(tries)).toBe(30)
    expect(await isAllowed(newEmail(), `${site}:1::1`)).toBe(true)
    expect(await isAllowed(email, `${newSite()}:1::1`)).toBe(true)
  })

  it('stop a /48 that tries many emails', async () => {
    const site = newSite()
    const tries = Array.from(
      { length: 320 },
      (_, index) => () => attempt(newEmail(), `${site}:${(index % 8).toString(16)}::1`),
    )
    expect(await countAllowed(tries)).toBe(300)
  })

  it('stop guesses for one email from many networks for 15 minutes', async () => {
    const email = newEmail()
    expect(await countAllowed(spread(email, 70))).toBe(50)
    const refused = await attempt(email, newIpv4())
    expect('retryAfterS' in refused && refused.retryAfterS).toBeGreaterThan(14 * 60)
    await passMinutes(14)
    expect(await isAllowed(email, newIpv4())).toBe(false)
    await passMinutes(2)
    expect(await isAllowed(email, newIpv4())).toBe(true)
  })

  it('admit the owner from a network of an earlier sign-in, with the limit of that network', async () => {
    const [email, home] = [newEmail(), `${newSite()}:1`]
    const { account } = await createAccount({ email, verified: true }, database)
    await rememberNetwork(account ?? { id: '', email }, `${home}::1`, { database, secret })
    await makeTries(spread(email, 60))
    expect(await isAllowed(email, newIpv4())).toBe(false)
    expect(await isAllowed(email.toUpperCase(), `${home}:abcd::2`)).toBe(true)
    const tries = Array.from({ length: 12 }, () => () => attempt(email, `${home}::1`))
    expect(await countAllowed(tries)).toBe(9)
  })

  it('apply equally to an email without an account', async () => {
    const [known, unknown] = [newEmail(), newEmail()]
    await createAccount({ email: known, verified: true }, database)
    const counts = [await countAllowed(spread(known, 60)), await countAllowed(spread(unknown, 60))]
    expect(counts).toEqual([50, 50])
  })

  it('allow sign-in links to an owner whose password is being guessed, and limit these links too', async () => {
    const email = newEmail()
    await makeTries(spread(email, 60))
    const mail = (ip: string) =>
      countMail(email, ip, { database, secret }).then(
        () => 1,
        () => 0,
      )
    const site = newSite()
    const sent = await Promise.all(Array.from({ length: 8 }, (_, index) => mail(`${site}:1::${index}`)))
    expect(sent.filter(one => one === 1)).toHaveLength(5)
    const sentInAll = await Promise.all(Array.from({ length: 30 }, () => mail(newIpv4())))
    expect(sentInAll.filter(one => one === 1)).toHaveLength(15)
    await expect(countMail(email, newIpv4(), { database, secret })).rejects.toMatchObject({
      status: 429,
      code: 'too_many_attempts',
    })
  })

  it('store networks as hashes only, for 90 days', async () => {
    const [email, ip] = [newEmail(), newIpv4()]
    const { account } = await createAccount({ email, verified: true }, database)
    await rememberNetwork(account ?? { id: '', email }, ip, { database, secret })
    await rememberNetwork(account ?? { id: '', email }, ip, { database, secret })
    const rows = await database.rows<{ row: string }>(
      sql`select n::text as row from sign_in_networks n where account_id = ${account?.id ?? ''}`,
    )
    expect(rows).toHaveLength(1)
    expect(rows[0]?.row).not.toContain(ip)
    await database.rows(
      sql`update sign_in_networks set last_at = now() - interval '89 days' where account_id = ${account?.id ?? ''}`,
    )
    expect(await purgeSignInNetworks(database, 10)).toBe(0)
    await database.rows(
      sql`update sign_in_networks set last_at = now() - interval '91 days' where account_id = ${account?.id ?? ''}`,
    )
    expect(await purgeSignInNetworks(database, 10)).toBe(1)
  })
})
