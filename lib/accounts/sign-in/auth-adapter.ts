import { DrizzleAdapter } from '@auth/drizzle-adapter'
import { eq } from 'drizzle-orm'
import type { Adapter, AdapterAccount, AdapterUser } from 'next-auth/adapters'
import type { Database } from '../../../db/database'
import { proveAndEnd } from '../../../db/queries/first-proof'
import { insertIdentity } from '../../../db/queries/identities'
import { oauthAccounts, users, verificationTokens } from '../../../db/schema'
import { findById, markVerified, normalizeEmail, openAccount } from '../account/accounts'
import { findSpentMonth } from '../account/spent-grant'

interface AdapterSettings {
  /** The account that the browser is already signed in to. */
  signedInId: string | null
  secret: string
  /** The password of this browser's sign-up, for an account that a mailed link opens. */
  signUp?: { email: string; passwordHash: string } | null
  /** Whether only invited addresses may open an account. */
  invitedOnly?: boolean
}

/**
 * Creates next-auth's adapter to the accounts, for mailed links and other services. Addresses are kept in lower case.
 * Tokens of other services are never stored.
 *
 * Before a first proof ends anything, a page shows what will end (`pending-proof.ts`, `admit-identity.ts`). If a first
 * proof arrives here without that page, it ends everything that was created before, because a stranger may have opened
 * the account.
 */
export function createAuthAdapter(
  database: Database,
  { signedInId, secret, signUp = null, invitedOnly = false }: AdapterSettings,
): Adapter {
  const { drizzle } = database
  // The adapter's type requires more tables than JWT sessions use.
  const adapter = DrizzleAdapter(drizzle, {
    usersTable: users,
    accountsTable: oauthAccounts,
    verificationTokensTable: verificationTokens,
  }) as Adapter
  return {
    ...adapter,
    createUser: (user: Omit<AdapterUser, 'id'>) =>
      createUser({ name: user.name ?? null, image: user.image ?? null, email: normalizeEmail(user.email) }),
    getUserByEmail: async email => (await adapter.getUserByEmail?.(normalizeEmail(email))) ?? null,
    updateUser: async user => {
      if (user.emailVerified != null) await proveAddress(user.id)
      const [row] = await drizzle.select().from(users).where(eq(users.id, user.id))
      if (row === undefined) throw new Error('The account to update does not exist')
      return row
    },
    linkAccount: async ({ userId, provider, providerAccountId }: AdapterAccount) => {
      const isLinked = await insertIdentity(database, { accountId: userId, provider, providerAccountId })
      if (!isLinked) throw new Error('A sign-in service can only be linked to an account with a confirmed address')
    },
  }

  async function createUser(values: { name: string | null; image: string | null; email: string }) {
    const grantedMonth = await findSpentMonth({ email: values.email, secret }, database)
    const passwordHash = signUp?.email === values.email ? signUp.passwordHash : null
    // Both kinds of sign-in prove the address: the mail was read, or the other service vouches for it (see
    // `vouchedAddress`).
    const account = { ...values, grantedMonth, passwordHash, verified: true }
    const row = await openAccount(account, { invitedOnly }, database)
    if (row === null) throw new Error('The account was not created')
    return row
  }

  async function proveAddress(id: string): Promise<void> {
    if (id === signedInId) return markVerified(id, database)
    const account = await findById(id, database)
    if (account !== null) await proveAndEnd(database, { accountId: id, email: account.email }, () => true)
  }
}
