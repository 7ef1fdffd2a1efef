import { DrizzleAdapter } from '@auth/drizzle-adapter'
import { eq } from 'drizzle-orm'
import type { Adapter, AdapterUser } from 'next-auth/adapters'
import type { Database } from '../../db/database'
import { endKey } from '../../db/queries/keys'
import { oauthAccounts, users, verificationTokens } from '../../db/schema'
import { findById, markVerified } from './accounts'
import { findSpentMonth } from './spent-grant'

/**
 * next-auth's view of the accounts, for mailed links and other services. Addresses are kept in lower case.
 *
 * An account whose address nobody had proved yet may have been opened by a stranger. When a proof comes first from
 * somebody who is not signed in to it, its password, sessions and key end, so that the stranger is out of it.
 */
export function createAuthAdapter(database: Database, { signedInId, secret }: { signedInId: string | null; secret: string }): Adapter {
  const { drizzle } = database
  // The adapter's type asks for more tables than JWT sessions use.
  const adapter = DrizzleAdapter(drizzle, { usersTable: users, accountsTable: oauthAccounts, verificationTokensTable: verificationTokens }) as Adapter
  return {
    ...adapter,
    createUser: (user: Omit<AdapterUser, 'id'>) =>
      // Both ways in prove the address: the mail was read, or the other service vouches for it (see `vouchedAddress`).
      createUser({ name: user.name ?? null, image: user.image ?? null, email: user.email.toLowerCase(), emailVerified: new Date() }),
    getUserByEmail: async email => (await adapter.getUserByEmail?.(email.toLowerCase())) ?? null,
    updateUser: async user => {
      if (user.emailVerified != null) await proveAddress(user.id)
      const [row] = await drizzle.select().from(users).where(eq(users.id, user.id))
      if (row === undefined) throw new Error('The account to update does not exist')
      return row
    },
  }

  async function createUser(values: { name: string | null; image: string | null; email: string; emailVerified: Date }) {
    const grantedMonth = await findSpentMonth({ email: values.email, secret }, database)
    const [row] = await drizzle.insert(users).values({ ...values, grantedMonth }).returning()
    if (row === undefined) throw new Error('The account was not created')
    return row
  }

  async function proveAddress(id: string): Promise<void> {
    const account = await findById(id, database)
    if (account === null || account.emailVerified !== null) return
    const isStranger = id !== signedInId
    if (isStranger) await endKey(database, id)
    await markVerified(id, { dropPassword: isStranger }, database)
  }
}
